package io.holdfast.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the URIs of single servers. It does so itself because what it rejects must be told without the password, which
 * rules out every message that quotes the URI.
 */
final class RedisAddress {

    private static final int DEFAULT_PORT = 6379;
    // Not java.net.URI's own idea of a host, which refuses the underscores that container names have.
    private static final Pattern HOST = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([\\w.-]+))(?::(\\d{1,5}))?");
    private static final Pattern TIMEOUT = Pattern.compile("(\\d{1,9})(ms|s|m)?");

    private RedisAddress() {}

    /**
     * @param defaultTimeout for a URI that names none
     * @throws IllegalArgumentException if the URI is wrong
     */
    static RedisURI parse(String uri, Duration defaultTimeout) {
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            // Neither the message nor the cause may travel on: both quote the URI, and the password with it.
            throw wrong("it can't be read (at index " + e.getIndex() + "); escape special characters as %XX");
        }
        String scheme = parsed.getScheme() == null ? "" : parsed.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("redis") && !scheme.equals("rediss")) {
            throw wrong("it must begin with redis:// or rediss://");
        }
        String authority = parsed.getRawAuthority() == null ? "" : parsed.getRawAuthority();
        int at = authority.lastIndexOf('@');
        Matcher host = HOST.matcher(authority.substring(at + 1));
        if (!host.matches()) {
            throw wrong("it must name a host, and a port if it is not " + DEFAULT_PORT);
        }
        int port = host.group(3) == null ? DEFAULT_PORT : Integer.parseInt(host.group(3));
        if (port == 0 || port > 65_535) {
            throw wrong("its port must be 1 to 65535");
        }
        if (parsed.getRawFragment() != null) {
            throw wrong("it must not have a fragment; escape # as %23");
        }
        RedisURI result = new RedisURI();
        result.setHost(host.group(1) == null ? host.group(2) : host.group(1));
        result.setPort(port);
        result.setSsl(scheme.equals("rediss"));
        result.setDatabase(database(parsed.getRawPath()));
        result.setTimeout(defaultTimeout);
        authentication(at < 0 ? "" : authority.substring(0, at), result);
        query(parsed.getRawQuery(), result);
        return result;
    }

    /** {@code host:port/db}, and nothing that is a secret. */
    static String describe(RedisURI uri) {
        String host = uri.getHost() == null ? String.valueOf(uri.getSocket()) : uri.getHost();
        return "Redis at " + (host.contains(":") ? "[" + host + "]" : host)
                + (uri.getSocket() == null ? ":" + uri.getPort() : "")
                + "/" + uri.getDatabase();
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        if (!path.matches("/\\d{1,6}")) {
            throw wrong("its path must be the number of a database, as in redis://host:6379/0");
        }
        return Integer.parseInt(path.substring(1));
    }

    private static void authentication(String userInfo, RedisURI uri) {
        if (userInfo.isEmpty()) {
            return;
        }
        int colon = userInfo.indexOf(':');
        String password = decode(userInfo.substring(colon + 1));
        if (password.isEmpty()) {
            throw wrong("it has a user without a password");
        }
        String user = colon > 0 ? decode(userInfo.substring(0, colon)) : null;
        uri.setCredentialsProvider(new StaticCredentialsProvider(user, password.toCharArray()));
    }

    private static void query(@Nullable String query, RedisURI uri) {
        if (query == null || query.isEmpty()) {
            return;
        }
        for (String parameter : query.split("&")) {
            if (!parameter.startsWith("timeout=")) {
                throw wrong("it knows the parameter timeout only, as in ?timeout=2s");
            }
            Matcher value = TIMEOUT.matcher(parameter.substring("timeout=".length()));
            if (!value.matches()) {
                throw wrong("its timeout must be a number of ms, s or m, as in ?timeout=2s");
            }
            long number = Long.parseLong(value.group(1));
            String unit = value.group(2) == null ? "ms" : value.group(2);
            Duration timeout = switch (unit) {
                case "m" -> Duration.ofMinutes(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMillis(number);
            };
            if (timeout.isZero()) {
                throw wrong("its timeout must be at least 1 ms");
            }
            uri.setTimeout(timeout);
        }
    }

    // A plus sign is a plus sign: this is not a form.
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("This is not the URI of a Redis server: " + why);
    }
}
