package io.holdfast.spring.boot;

import io.holdfast.redis.RedisStore;
import io.holdfast.redis.ReplicationBarrier;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.StringUtils;

/**
 * A store where {@code spring.data.redis.*}, Docker Compose or Testcontainers say that Redis is. It has a Lettuce client of
 * its own, whose options suit locks, on the threads of the application's ({@link ClientResources}).
 */
final class RedisStoreCandidate implements StoreCandidate, DisposableBean {

    /** A command without an answer fails by the client's time-out. */
    private static final Duration NEVER = Duration.ofMinutes(5);

    private final DataRedisConnectionDetails details;
    private final @Nullable ClientResources resources;
    private final @Nullable String replicas;
    private @Nullable AbstractRedisClient client;

    RedisStoreCandidate(
            DataRedisConnectionDetails details, @Nullable ClientResources resources, HoldfastProperties properties) {
        this.details = details;
        this.resources = resources;
        this.replicas = properties.getRedis().getReplicas();
    }

    @Override
    public StoreType type() {
        return StoreType.REDIS;
    }

    @Override
    public String origin() {
        return "the Redis of spring.data.redis.*";
    }

    @Override
    public LockStore open(StoreConfig config) {
        DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return sentinel(sentinel, config);
        }
        DataRedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            List<RedisURI> nodes = nodes(cluster.getNodes(), config);
            return RedisStore.using(clusterClient(nodes, config), nodes, barrier());
        }
        DataRedisConnectionDetails.MasterReplica replicated = details.getMasterReplica();
        if (replicated != null) {
            return RedisStore.using(client(config), nodes(replicated.getNodes(), config), barrier());
        }
        DataRedisConnectionDetails.Standalone standalone = details.getStandalone();
        if (standalone == null) {
            throw new IllegalStateException(
                    "the Redis connection details name no server; set spring.data.redis.host, or holdfast.uri");
        }
        RedisURI uri = uri(standalone.getHost(), standalone.getPort(), standalone.getDatabase(), config);
        if (!isNone(replicas)) {
            throw new IllegalStateException(
                    "holdfast.redis.replicas is not for the one server that spring.data.redis.host names."
                            + " Name its replicas as well, in spring.data.redis.masterreplica.nodes, or all in"
                            + " holdfast.uri=redis-replica://…");
        }
        return RedisStore.using(client(config), uri);
    }

    private LockStore sentinel(DataRedisConnectionDetails.Sentinel sentinel, StoreConfig config) {
        RedisURI uri = new RedisURI();
        uri.setSentinelMasterId(sentinel.getMaster());
        uri.setDatabase(sentinel.getDatabase());
        complete(uri, config);
        for (Node node : sentinel.getNodes()) {
            RedisURI one = RedisURI.create(node.host(), node.port());
            one.setSsl(isTls());
            credentials(one, sentinel.getUsername(), sentinel.getPassword());
            uri.getSentinels().add(one);
        }
        if (replicas != null) {
            throw new IllegalStateException(
                    "holdfast.redis.replicas is not for a Redis with sentinels that spring.data.redis.*"
                            + " names, where all replicas acknowledge. Remove it, or say all of it with"
                            + " holdfast.uri=redis-sentinel://…?replicas=" + replicas);
        }
        return RedisStore.using(client(config), uri);
    }

    private RedisClient client(StoreConfig config) {
        RedisClient made = resources == null ? RedisClient.create() : RedisClient.create(resources);
        client = made;
        made.setOptions(options(ClientOptions.builder(), config));
        return made;
    }

    private RedisClusterClient clusterClient(List<RedisURI> nodes, StoreConfig config) {
        RedisClusterClient made =
                resources == null ? RedisClusterClient.create(nodes) : RedisClusterClient.create(resources, nodes);
        client = made;
        made.setOptions((ClusterClientOptions) options(ClusterClientOptions.builder(), config));
        return made;
    }

    private ClientOptions options(ClientOptions.Builder options, StoreConfig config) {
        options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(config.timeout())
                        .keepAlive(true)
                        .build());
        SslBundle bundle = details.getSslBundle();
        if (bundle != null) {
            options.sslOptions(ssl(bundle));
        }
        return options.build();
    }

    private static io.lettuce.core.SslOptions ssl(SslBundle bundle) {
        io.lettuce.core.SslOptions.Builder ssl = io.lettuce.core.SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        SslOptions chosen = bundle.getOptions();
        if (chosen.getCiphers() != null) {
            ssl.cipherSuites(chosen.getCiphers());
        }
        if (chosen.getEnabledProtocols() != null) {
            ssl.protocols(chosen.getEnabledProtocols());
        }
        return ssl.build();
    }

    private List<RedisURI> nodes(List<Node> nodes, StoreConfig config) {
        List<RedisURI> uris = new ArrayList<>();
        for (Node node : nodes) {
            uris.add(uri(node.host(), node.port(), 0, config));
        }
        return uris;
    }

    private RedisURI uri(String host, int port, int database, StoreConfig config) {
        RedisURI uri = RedisURI.create(host, port);
        uri.setDatabase(database);
        complete(uri, config);
        return uri;
    }

    private void complete(RedisURI uri, StoreConfig config) {
        uri.setSsl(isTls());
        uri.setClientName(config.clientName());
        uri.setTimeout(NEVER);
        credentials(uri, details.getUsername(), details.getPassword());
    }

    private boolean isTls() {
        return details.getSslBundle() != null;
    }

    private static void credentials(RedisURI uri, @Nullable String user, @Nullable String password) {
        if (password == null) {
            return;
        }
        uri.setCredentialsProvider(RedisCredentialsProvider.from(
                () -> RedisCredentials.just(StringUtils.hasText(user) ? user : null, password)));
    }

    private static boolean isNone(@Nullable String replicas) {
        return replicas == null || "none".equals(replicas) || "0".equals(replicas);
    }

    private ReplicationBarrier barrier() {
        if (replicas == null || "all".equals(replicas)) {
            return ReplicationBarrier.all();
        }
        if (isNone(replicas)) {
            return ReplicationBarrier.none();
        }
        try {
            return ReplicationBarrier.replicas(Integer.parseInt(replicas));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "holdfast.redis.replicas is all, none or a number, not \"" + replicas + "\"", e);
        }
    }

    /** After the Holdfast client, which was made with this bean. */
    @Override
    public void destroy() {
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }
}
