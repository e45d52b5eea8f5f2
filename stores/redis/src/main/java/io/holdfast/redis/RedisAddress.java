package io.holdfast.redis;

import io.holdfast.spi.StoreConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the URIs of Redis. It does so itself because what it rejects must be told without the password, which rules out
 * every message that quotes the URI.
 */
final class RedisAddress {

    private static final Pattern SCHEME = Pattern.compile("redis(s?)(-sentinel|-cluster|-replica)?");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final String EXAMPLE = "redis://host:6379/0";

    private static final Set<String> PARAMETERS = Set.of(
            "timeout",
            "replicas",
            "replicas-timeout",
            "tokens-kept",
            "master",
            "sentinel-user",
            "sentinel-password",
            "truststore",
            "truststore-password",
            "keystore",
            "keystore-password");

    private RedisAddress() {}

    static boolean serves(String scheme) {
        return SCHEME.matcher(scheme).matches();
    }

    /**
     * @param config for what the URI does not say
     * @throws IllegalArgumentException if the URI is wrong
     */
    static Deployment parse(String uri, StoreConfig config) {
        String hosts = hosts(uri);
        URI parsed;
        try {
            // Which knows no list of hosts with brackets in it.
            parsed = new URI(hosts.contains("[") ? uri.replace(hosts, "host") : uri);
        } catch (URISyntaxException e) {
            // Neither the message nor the cause may travel on: both quote the URI, and the password with it.
            throw wrong("it can't be read (at index " + e.getIndex() + "); escape special characters as %XX");
        }
        try {
            return read(parsed, hosts, config).deployment();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static String hosts(String uri) {
        int from = uri.indexOf("://") + 3;
        int end = from;
        while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
            end++;
        }
        return from < 3 ? "" : uri.substring(Math.max(from, uri.lastIndexOf('@', end - 1) + 1), end);
    }

    private static RedisStoreBuilder read(URI uri, String hosts, StoreConfig config) {
        Matcher scheme =
                SCHEME.matcher(uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT));
        if (!scheme.matches()) {
            throw new IllegalArgumentException("it must begin with redis:// or rediss://, or with redis-sentinel://,"
                    + " redis-cluster:// or redis-replica://");
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("it must not have a fragment; escape # as %23");
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        Map<String, String> parameters = parameters(uri.getRawQuery());
        RedisStoreBuilder builder = new RedisStoreBuilder()
                .clientName(config.clientName())
                .timeout(config.timeout())
                .barrierTimeout(RedisStoreBuilder.defaultBarrierTimeout(config.timeout()));
        nodes(String.valueOf(scheme.group(2)), hosts, parameters, builder);
        authentication(at < 0 ? "" : authority.substring(0, at), builder);
        builder.database(database(uri.getRawPath()));
        if (!scheme.group(1).isEmpty()) {
            builder.tls(tls(parameters));
        } else if (parameters.keySet().stream().anyMatch(name -> name.contains("store"))) {
            throw new IllegalArgumentException("key stores are for TLS: let it begin with rediss");
        }
        settings(parameters, builder);
        return builder;
    }

    private static void nodes(String form, String hosts, Map<String, String> parameters, RedisStoreBuilder builder) {
        String[] nodes = hosts.split(",", -1);
        String master = parameters.get("master");
        if (form.equals("-sentinel")) {
            if (master == null || master.isEmpty()) {
                throw new IllegalArgumentException("it must name the master, as in ?master=mymaster");
            }
            builder.sentinel(master, nodes);
            return;
        }
        if (parameters.keySet().stream().anyMatch(name -> name.equals("master") || name.startsWith("sentinel-"))) {
            throw new IllegalArgumentException("only redis-sentinel:// has a master's name and a sentinel's user");
        }
        switch (form) {
            case "-cluster" -> builder.cluster(nodes);
            case "-replica" -> builder.replicated(nodes);
            default -> {
                if (nodes.length != 1) {
                    throw new IllegalArgumentException("it must name one host");
                }
                Address address = Address.parse(hosts, 6379);
                builder.single(address.host(), address.port());
            }
        }
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        if (!path.matches("/\\d{1,6}")) {
            throw new IllegalArgumentException("its path must be the number of a database, as in " + EXAMPLE);
        }
        return Integer.parseInt(path.substring(1));
    }

    private static void authentication(String userInfo, RedisStoreBuilder builder) {
        if (userInfo.isEmpty()) {
            return;
        }
        int colon = userInfo.indexOf(':');
        String password = decode(userInfo.substring(colon + 1));
        if (password.isEmpty()) {
            throw new IllegalArgumentException("it has a user without a password");
        }
        builder.password(password.toCharArray());
        if (colon > 0) {
            builder.user(decode(userInfo.substring(0, colon)));
        }
    }

    private static RedisTls tls(Map<String, String> parameters) {
        for (String store : List.of("truststore", "keystore")) {
            needs(parameters, store + "-password", store);
        }
        RedisTls tls = RedisTls.defaults();
        String trust = parameters.get("truststore");
        if (trust != null) {
            tls = tls.trustStore(Path.of(trust), secret(parameters, "truststore-password"));
        }
        String keys = parameters.get("keystore");
        return keys == null ? tls : tls.clientCertificate(Path.of(keys), secret(parameters, "keystore-password"));
    }

    private static void settings(Map<String, String> parameters, RedisStoreBuilder builder) {
        if (parameters.containsKey("timeout")) {
            builder.timeout(time(parameters, "timeout"));
        }
        if (parameters.containsKey("replicas-timeout")) {
            builder.barrierTimeout(time(parameters, "replicas-timeout"));
        }
        if (parameters.containsKey("tokens-kept")) {
            builder.tokensKept(time(parameters, "tokens-kept"));
        }
        String replicas = parameters.get("replicas");
        if (replicas != null) {
            builder.barrier(ReplicationBarrier.parse(replicas));
        }
        needs(parameters, "sentinel-user", "sentinel-password");
        if (parameters.containsKey("sentinel-password")) {
            builder.sentinelUser(parameters.get("sentinel-user"), secret(parameters, "sentinel-password"));
        }
    }

    private static void needs(Map<String, String> parameters, String name, String other) {
        if (parameters.containsKey(name) && !parameters.containsKey(other)) {
            throw new IllegalArgumentException("it has a " + name + " and no " + other);
        }
    }

    private static char[] secret(Map<String, String> parameters, String name) {
        return parameters.getOrDefault(name, "").toCharArray();
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new HashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String parameter : query.split("&")) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (!PARAMETERS.contains(name)) {
                throw new IllegalArgumentException("it has a parameter that is not known; known are "
                        + String.join(", ", PARAMETERS.stream().sorted().toList()));
            }
            if (parameters.put(name, equals < 0 ? "" : decode(parameter.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("it has the parameter " + name + " twice");
            }
        }
        return parameters;
    }

    private static Duration time(Map<String, String> parameters, String name) {
        Matcher value = TIME.matcher(parameters.getOrDefault(name, ""));
        if (!value.matches()) {
            throw new IllegalArgumentException(
                    "its " + name + " must be a number with ms, s, m, h or d, as in ?" + name + "=2s");
        }
        long number = Long.parseLong(value.group(1));
        Duration time = switch (String.valueOf(value.group(2))) {
            case "d" -> Duration.ofDays(number);
            case "h" -> Duration.ofHours(number);
            case "m" -> Duration.ofMinutes(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMillis(number);
        };
        if (time.isZero()) {
            throw new IllegalArgumentException("its " + name + " must be at least 1 ms");
        }
        return time;
    }

    // A plus sign is a plus sign: this is not a form.
    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "it has a percent sign without two digits behind it"); // whose message would show what it is in
        }
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("This is not the URI of a Redis: " + why);
    }
}
