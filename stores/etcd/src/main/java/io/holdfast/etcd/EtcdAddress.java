package io.holdfast.etcd;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where an etcd is, and how to reach it: {@code etcd://user:password@host:port,host:port/prefix?timeout=3s}, or {@code etcds://…} for TLS with
 * {@code ?ca=file&cert=file&key=file}.
 *
 * @param endpoints host and port of each member
 * @param prefix what all keys begin with
 * @param timeout how long a command may take; {@code null} for the client's
 */
record EtcdAddress(
        boolean tls,
        List<Endpoint> endpoints,
        @Nullable String user,
        @Nullable String password,
        String prefix,
        @Nullable Duration timeout,
        @Nullable String ca,
        @Nullable String certificate,
        @Nullable String key) {

    static final String DEFAULT_PREFIX = "holdfast/";
    private static final int DEFAULT_PORT = 2379;

    record Endpoint(String host, int port) {

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    static EtcdAddress parse(String uri) {
        String scheme = uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
        if (!uri.startsWith("://", scheme.length())) {
            throw wrong("it has to be etcd://host:port,host:port/prefix");
        }
        String rest = uri.substring(scheme.length() + 3);
        if (rest.indexOf('#') >= 0) {
            throw wrong("it has no fragment: write # as %23");
        }
        int question = rest.indexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        rest = question < 0 ? rest : rest.substring(0, question);
        int at = rest.lastIndexOf('@');
        String credentials = at < 0 ? null : rest.substring(0, at);
        rest = rest.substring(at + 1);
        int slash = rest.indexOf('/');
        String path = slash < 0 ? "" : rest.substring(slash + 1);
        String hosts = slash < 0 ? rest : rest.substring(0, slash);
        String user = null;
        String password = null;
        if (credentials != null) {
            int colon = credentials.indexOf(':');
            if (colon <= 0 || colon == credentials.length() - 1) {
                throw wrong("before the @ there have to be a user and a password, as in user:password@");
            }
            if (credentials.indexOf('/') >= 0) {
                throw wrong("in a user or a password / is written as %2F");
            }
            user = decoded(credentials.substring(0, colon));
            password = decoded(credentials.substring(colon + 1));
        }
        Options options = Options.parse(query, scheme.equals("etcds"));
        return new EtcdAddress(
                scheme.equals("etcds"),
                endpoints(hosts),
                user,
                password,
                path.isEmpty() ? DEFAULT_PREFIX : prefix(decoded(path)),
                options.timeout,
                options.ca,
                options.certificate,
                options.key);
    }

    private static String prefix(String path) {
        if (path.indexOf('\0') >= 0) {
            throw wrong("the prefix must not have NUL in it");
        }
        return path.endsWith("/") ? path : path + "/";
    }

    private static List<Endpoint> endpoints(String hosts) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            endpoints.add(endpoint(host));
        }
        return List.copyOf(endpoints);
    }

    private static Endpoint endpoint(String text) {
        try {
            URI uri = new URI("etcd://" + text);
            String host = uri.getHost();
            if (host == null || uri.getUserInfo() != null || !uri.getPath().isEmpty()) {
                throw wrong("each of its members has to be host or host:port");
            }
            int port = text.endsWith(":") ? 0 : uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
            if (port < 1 || port > 65_535) {
                throw wrong("a port is between 1 and 65535");
            }
            return new Endpoint(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
        } catch (URISyntaxException e) {
            throw wrong("each of its members has to be host or host:port"); // the cause would show what was written
        }
    }

    private static final class Options {

        @Nullable
        Duration timeout;

        @Nullable
        String ca;

        @Nullable
        String certificate;

        @Nullable
        String key;

        static Options parse(String query, boolean tls) {
            Options options = new Options();
            for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
                if (value.isEmpty()) {
                    throw wrong("each parameter needs a value, as in timeout=3s");
                }
                switch (name) {
                    case "timeout" -> options.timeout = duration(value);
                    case "ca" -> options.ca = value;
                    case "cert" -> options.certificate = value;
                    case "key" -> options.key = value;
                    default -> throw wrong("it knows the parameters timeout, ca, cert and key");
                }
            }
            if (!tls && (options.ca != null || options.certificate != null || options.key != null)) {
                throw wrong("ca, cert and key are for TLS: it has to be etcds://");
            }
            if ((options.certificate == null) != (options.key == null)) {
                throw wrong("cert and key go together");
            }
            return options;
        }

        private static Duration duration(String text) {
            try {
                Duration time = text.endsWith("ms")
                        ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                        : text.endsWith("s")
                                ? Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)))
                                : Duration.ZERO;
                if (time.toMillis() < 10 || time.toMillis() > 60_000) {
                    throw wrong("timeout has to be from 10ms to 60s");
                }
                return time;
            } catch (NumberFormatException | ArithmeticException e) {
                throw wrong("timeout has to be a time, as in 500ms or 3s");
            }
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("% has to be followed by two hexadecimal digits: write % itself as %25");
        }
    }

    /** Without what was written, which may have a password in it. */
    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("the URI of etcd is wrong: " + what);
    }

    /** For messages. */
    String description() {
        StringBuilder text = new StringBuilder(tls ? "etcds://" : "etcd://");
        for (int i = 0; i < endpoints.size(); i++) {
            text.append(i == 0 ? "" : ",").append(endpoints.get(i));
        }
        return text.append('/')
                .append(prefix.equals(DEFAULT_PREFIX) ? "" : prefix)
                .toString();
    }

    @Override
    public String toString() {
        return description();
    }
}
