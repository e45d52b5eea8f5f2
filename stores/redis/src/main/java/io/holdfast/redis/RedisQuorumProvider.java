package io.holdfast.redis;

import io.holdfast.quorum.QuorumStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Opens {@code redis-quorum://[[user]:password@]host:port,host:port,host:port[/database][?timeout=2s]}: independent
 * servers, of which a majority decides. User, password, database and time-out are the same for all of them;
 * {@code rediss-quorum://} is the same with TLS. The order in which they are named does not matter. For servers that differ in more than
 * their address there is {@link QuorumStore#of}.
 */
public final class RedisQuorumProvider implements LockStoreProvider {

    private static final String SUFFIX = "-quorum";

    public RedisQuorumProvider() {}

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("redis" + SUFFIX) || scheme.equals("rediss" + SUFFIX);
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        List<LockStore> nodes = new ArrayList<>();
        try {
            for (String node : nodes(uri)) {
                nodes.add(RedisStore.open(node, config));
            }
            // Several of these fit into what the engine waits for one answer.
            Duration patience = config.timeout().dividedBy(4);
            boolean hasty = patience.compareTo(QuorumStore.NODE_TIMEOUT) < 0;
            return QuorumStore.of(nodes, hasty ? patience : QuorumStore.NODE_TIMEOUT);
        } catch (RuntimeException e) {
            nodes.forEach(LockStore::close);
            throw e;
        }
    }

    /** The URIs of the single servers, in an order that is the same for everybody. */
    static List<String> nodes(String uri) {
        int from = uri.indexOf("://");
        if (from < 0) {
            throw wrong("it must begin with redis-quorum:// or rediss-quorum://");
        }
        String scheme = uri.substring(0, from).toLowerCase(Locale.ROOT).replace(SUFFIX, "");
        String rest = uri.substring(from + 3);
        int end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String authority = rest.substring(0, end);
        int at = authority.lastIndexOf('@');
        String before = scheme + "://" + authority.substring(0, at + 1);
        String[] hosts = authority.substring(at + 1).split(",", -1);
        TreeSet<String> different = new TreeSet<>();
        for (String host : hosts) {
            if (!different.add(address(host))) {
                throw wrong("it names a server twice, which would have two votes");
            }
        }
        if (different.size() < 3) {
            throw wrong("it must name three servers at least");
        }
        String after = rest.substring(end);
        return different.stream().map(host -> before + host + after).toList();
    }

    /** In the one form that all have who mean the same. */
    private static String address(String host) {
        try {
            return Address.parse(host, 6379).toString();
        } catch (IllegalArgumentException e) {
            throw wrong("its servers must be host or host:port, with a number as the port, and commas between them");
        }
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("This is not the URI of a quorum of Redis servers: " + why);
    }
}
