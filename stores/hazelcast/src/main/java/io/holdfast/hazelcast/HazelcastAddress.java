package io.holdfast.hazelcast;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a cluster is: {@code hazelcast://host[:port][,host[:port]…][/map][?cluster=dev&backups=1]}. What is wrong with a URI is told
 * without quoting it, because of a password that it may have.
 *
 * @param members {@code host:port} of some members; the client finds the others
 * @param map the name of the map that keeps the locks
 * @param cluster the name of the cluster
 * @param backups how many synchronous backups the members' configuration gives the map; 0 if the URI does not say
 */
record HazelcastAddress(List<String> members, String map, String cluster, int backups) {

    static final String DEFAULT_MAP = "holdfast";

    private static final String SCHEME = "hazelcast://";
    private static final int DEFAULT_PORT = 5701;
    private static final String DEFAULT_CLUSTER = "dev";
    private static final int MOST_BACKUPS = 6;
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[\\w.-]+)(?::(\\d{1,5}))?");
    private static final Pattern MAP = Pattern.compile("[\\w.:-]{1,200}");

    /** @throws IllegalArgumentException if the URI is wrong */
    static HazelcastAddress parse(String uri) {
        if (!uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw wrong("it must begin with " + SCHEME);
        }
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            // Neither the message nor the cause may travel on: both quote the URI.
            throw wrong("it can't be read (at index " + e.getIndex() + "); escape special characters as %XX");
        }
        if (parsed.getRawFragment() != null) {
            throw wrong("it must not have a fragment; escape # as %23");
        }
        String authority = parsed.getRawAuthority() == null ? "" : parsed.getRawAuthority();
        if (authority.indexOf('@') >= 0 || String.valueOf(parsed.getRawPath()).indexOf('@') >= 0) {
            throw wrong("open-source Hazelcast has no users. For Hazelcast Enterprise, make a client yourself and use"
                    + " HazelcastStore.using");
        }
        String cluster = DEFAULT_CLUSTER;
        int backups = 0;
        String query = parsed.getQuery();
        for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String key = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            switch (key) {
                case "cluster" -> cluster = cluster(value);
                case "backups" -> backups = backups(value);
                default ->
                    throw wrong("the only parameters that it may have are cluster and backups, as in"
                            + " ?cluster=dev&backups=1");
            }
        }
        return new HazelcastAddress(members(authority), map(parsed.getPath()), cluster, backups);
    }

    /** For messages. */
    String description() {
        return "Hazelcast cluster " + cluster + " at " + String.join(",", members) + ", map " + map;
    }

    private static List<String> members(String list) {
        List<String> members = new ArrayList<>();
        for (String member : list.split(",", -1)) {
            Matcher host = HOST.matcher(member);
            if (!host.matches()) {
                throw wrong("each member must be host or host:port, with a number as its port (" + DEFAULT_PORT
                        + " if there is none)");
            }
            int port = host.group(2) == null ? DEFAULT_PORT : Integer.parseInt(host.group(2));
            if (port == 0 || port > 65_535) {
                throw wrong("a port must be a number from 1 to 65535");
            }
            members.add(host.group(1) + ":" + port);
        }
        return List.copyOf(members);
    }

    private static String map(@Nullable String path) {
        String map = path == null || path.isEmpty() || path.equals("/") ? DEFAULT_MAP : path.substring(1);
        return checkedMap(map);
    }

    /** @throws IllegalArgumentException if no map may have this name here */
    static String checkedMap(String map) {
        if (!MAP.matcher(map).matches()) {
            throw wrong(
                    "the name of the map, behind the slash, may have letters, digits and . : _ - only, 200 at most");
        }
        return map;
    }

    private static String cluster(String value) {
        if (value.isEmpty()) {
            throw wrong("the name of the cluster is empty");
        }
        return value;
    }

    private static int backups(String value) {
        if (!value.matches("\\d") || Integer.parseInt(value) > MOST_BACKUPS) {
            throw wrong("backups must be a number from 0 to " + MOST_BACKUPS);
        }
        return Integer.parseInt(value);
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("The URI of the Hazelcast store is wrong: " + why);
    }
}
