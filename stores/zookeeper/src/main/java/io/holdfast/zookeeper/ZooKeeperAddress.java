package io.holdfast.zookeeper;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Where an ensemble is: {@code zookeeper://[user:password@]host[:port][,host[:port]…][/chroot][?session=10s]}. What is
 * wrong with a URI is told without quoting it, because of the password.
 *
 * @param servers {@code host:port,host:port}
 * @param root the node below which everything is
 * @param session how long the servers are to keep a session that they do not hear from
 * @param credentials {@code user:password}, in clear
 */
record ZooKeeperAddress(
        String servers,
        String root,
        Duration session,
        @Nullable String credentials) {

    private static final String SCHEME = "zookeeper://";
    private static final int DEFAULT_PORT = 2181;
    private static final String DEFAULT_ROOT = "/holdfast";
    private static final Duration DEFAULT_SESSION = Duration.ofSeconds(10);
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[\\w.-]+)(?::(\\d{1,5}))?");
    private static final Pattern SESSION = Pattern.compile("session=(\\d{1,6})(ms|s|m)");

    /** @throws IllegalArgumentException if the URI is wrong */
    static ZooKeeperAddress parse(String uri) {
        if (!uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw wrong("it must begin with " + SCHEME);
        }
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            // Neither the message nor the cause may travel on: both quote the URI, and the password with it.
            throw wrong("it can't be read (at index " + e.getIndex() + "); escape special characters as %XX");
        }
        if (parsed.getRawFragment() != null) {
            throw wrong("it must not have a fragment; escape # as %23");
        }
        // Behind a slash that is not escaped, the rest of a password: the root is shown.
        if (String.valueOf(parsed.getRawPath()).indexOf('@') >= 0) {
            throw wrong("its path has an @; escape @ as %40, and in a password / as %2F");
        }
        String authority = parsed.getRawAuthority() == null ? "" : parsed.getRawAuthority();
        int at = authority.lastIndexOf('@');
        return new ZooKeeperAddress(
                servers(authority.substring(at + 1)),
                root(parsed.getPath()),
                session(parsed.getRawQuery()),
                at < 0 ? null : credentials(authority.substring(0, at)));
    }

    /** For messages; no secrets. */
    String description() {
        return "ZooKeeper at " + servers + root;
    }

    /** The access list of new nodes: everything for every user, or for this user alone. */
    List<ACL> acl() {
        return credentials == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    /** Not the generated one, which would show the password. */
    @Override
    public String toString() {
        return description();
    }

    private static String servers(String list) {
        List<String> servers = new ArrayList<>();
        for (String server : list.split(",", -1)) {
            Matcher host = HOST.matcher(server);
            if (!host.matches()) {
                throw wrong("each server must be host or host:port, with a number as its port (" + DEFAULT_PORT
                        + " if there is none)");
            }
            int port = host.group(2) == null ? DEFAULT_PORT : Integer.parseInt(host.group(2));
            if (port == 0 || port > 65_535) {
                throw wrong("a port must be a number from 1 to 65535");
            }
            servers.add(host.group(1) + ":" + port);
        }
        return String.join(",", servers);
    }

    static String root(@Nullable String path) {
        String root = path == null ? "" : path.replaceAll("/+$", "");
        if (root.isEmpty()) {
            return DEFAULT_ROOT;
        }
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException e) {
            throw wrong("its path is not that of a node");
        }
        if (root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            throw wrong("the nodes below /zookeeper are ZooKeeper's own");
        }
        return root;
    }

    private static Duration session(@Nullable String query) {
        if (query == null) {
            return DEFAULT_SESSION;
        }
        Matcher session = SESSION.matcher(query);
        if (!session.matches()) {
            throw wrong("the only parameter that it may have is session, as in session=10s");
        }
        long number = Long.parseLong(session.group(1));
        Duration time = switch (session.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
        if (time.compareTo(Duration.ofMillis(100)) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
            throw wrong("a session must last 100 ms to 1 hour");
        }
        return time;
    }

    private static String credentials(String escaped) {
        String text;
        try {
            text = URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("its user or password is not escaped well");
        }
        if (text.indexOf(':') < 1) {
            throw wrong("a user needs a password, as in user:password@host");
        }
        return text;
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("The URI of the ZooKeeper store is wrong: " + why);
    }
}
