package io.holdfast.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What there is to connect to, and how.
 *
 * @param nodes one server; the sentinels; a master and its replicas in any order; or some of a cluster's nodes
 * @param master what Sentinel calls the master
 * @param server how to connect to any of the servers, but for the host and the port
 * @param sentinel how to connect to a sentinel, likewise
 * @param barrierTimeout how long replicas have to acknowledge
 * @param tokensKept how long the last token of a name is kept after its lock has ended
 */
record Deployment(
        Form form,
        List<Address> nodes,
        @Nullable String master,
        RedisURI server,
        RedisURI sentinel,
        ReplicationBarrier barrier,
        Duration barrierTimeout,
        @Nullable RedisTls tls,
        Duration tokensKept) {

    /** How servers stand together. */
    enum Form {
        SINGLE,
        REPLICATED,
        SENTINEL,
        CLUSTER
    }

    /** Of one server that somebody else has chosen. */
    static Deployment ofGiven(RedisURI uri) {
        return given(Form.SINGLE, List.of(), null, uri, uri, ReplicationBarrier.none());
    }

    /** Of several, which are logged in to as the first says. */
    static Deployment of(Form form, List<RedisURI> nodes, ReplicationBarrier barrier) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("name at least one server");
        }
        RedisURI first = nodes.get(0);
        return given(form, addresses(nodes), null, first, first, barrier);
    }

    static Deployment ofSentinel(RedisURI uri) {
        List<RedisURI> sentinels = uri.getSentinels();
        if (uri.getSentinelMasterId() == null || uri.getSentinelMasterId().isEmpty()) {
            throw new IllegalArgumentException("the URI of a Sentinel must name the master");
        }
        return given(
                Form.SENTINEL,
                addresses(sentinels),
                uri.getSentinelMasterId(),
                uri,
                sentinels.get(0),
                ReplicationBarrier.all());
    }

    private static Deployment given(
            Form form,
            List<Address> nodes,
            @Nullable String master,
            RedisURI server,
            RedisURI sentinel,
            ReplicationBarrier barrier) {
        Duration timeout = RedisStoreBuilder.defaultBarrierTimeout(RedisStoreBuilder.DEFAULT_TIMEOUT);
        return new Deployment(
                form, nodes, master, server, sentinel, barrier, timeout, null, RedisStoreBuilder.TOKENS_KEPT);
    }

    private static List<Address> addresses(List<RedisURI> nodes) {
        return nodes.stream()
                .map(uri -> new Address(uri.getHost(), uri.getPort()))
                .toList();
    }

    /** Where it is, and nothing that is a secret. */
    String describe() {
        String all = nodes.isEmpty()
                ? given(server)
                : nodes.stream().map(Address::toString).collect(Collectors.joining(","));
        return switch (form) {
            case SINGLE, REPLICATED -> "Redis at " + all + "/" + server.getDatabase();
            case SENTINEL -> "Redis \"" + master + "\" by Sentinel at " + all + "/" + server.getDatabase();
            case CLUSTER -> "Redis Cluster at " + all;
        };
    }

    private static String given(RedisURI uri) {
        if (uri.getSocket() != null) {
            return uri.getSocket();
        }
        return uri.getHost() == null
                ? "the address of a given client"
                : new Address(uri.getHost(), uri.getPort()).toString();
    }

    RedisURI serverAt(Address address) {
        return at(server, address);
    }

    RedisURI sentinelAt(Address address) {
        return at(sentinel, address);
    }

    /** {@code like}, at another address. */
    private static RedisURI at(RedisURI like, Address address) {
        RedisURI uri = new RedisURI();
        uri.setHost(address.host());
        uri.setPort(address.port());
        uri.applyAuthentication(like);
        uri.applySsl(like);
        uri.setDatabase(like.getDatabase());
        uri.setTimeout(like.getTimeout());
        uri.setClientName(like.getClientName());
        return uri;
    }

    @Override
    public String toString() {
        return describe();
    }
}
