package io.holdfast.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The servers that the suites share: each is started once, when it is first needed, and ends with the JVM. No test stops one
 * of them or changes its settings.
 */
final class SharedServers {

    /** A server behind TLS, and the URI with the certificates and the user for it. */
    record Tls(RedisServerProcess server, String uri) {}

    private static final Once<RedisServerProcess> SINGLE = new Once<>(RedisServerProcess::start);
    private static final Once<Tls> TLS = new Once<>(SharedServers::startTls);
    private static final Once<RedisServers> QUORUM = new Once<>(() -> RedisServers.start(3));
    private static final Once<Deployed> REPLICATED =
            new Once<>(() -> withUser("replica", ending(new ReplicatedServers(2))));
    private static final Once<Deployed> CLUSTER = new Once<>(() -> withUser("cluster", ending(new ClusterOfServers())));
    private static final Once<Deployed> SENTINEL = new Once<>(SharedServers::startSentinel);

    private SharedServers() {}

    static RedisServerProcess single() {
        return SINGLE.get();
    }

    static Tls tls() {
        return TLS.get();
    }

    static RedisServers quorum() {
        return QUORUM.get();
    }

    static Deployed replicated() {
        return REPLICATED.get();
    }

    static Deployed cluster() {
        return CLUSTER.get();
    }

    static Deployed sentinel() {
        return SENTINEL.get();
    }

    private static Tls startTls() {
        try {
            Path folder = Files.createTempDirectory("holdfast-tls");
            Certificates certificates = new Certificates(folder);
            Path client = certificates.issue("client");
            certificates.issue("server", "-ext", "SAN=ip:127.0.0.1");
            int port = RedisServerProcess.freePort();
            RedisServerProcess server = RedisServerProcess.start(certificates.serverOptions("server", port));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Deployed.delete(folder)));
            AclUser user = AclUser.of("single");
            user.at(server);
            return new Tls(server, user.in("rediss://127.0.0.1:" + port) + TlsTest.parameters(certificates, client));
        } catch (Exception e) {
            throw new IllegalStateException("no certificates", e);
        }
    }

    private static Deployed startSentinel() {
        SentinelServers all = ending(new SentinelServers());
        all.sentinels().forEach(AclUser.of("watch")::at);
        all.nodes().forEach(AclUser.of("sentinel")::at);
        return all;
    }

    private static Deployed withUser(String user, Deployed servers) {
        servers.servers.forEach(AclUser.of(user)::at);
        return servers;
    }

    private static <T extends Deployed> T ending(T servers) {
        Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
        return servers;
    }

    /** Something that is made when it is first asked for; a failure is everybody's. */
    private static final class Once<T> {

        private final Supplier<T> start;
        private T value;
        private RuntimeException failure;

        Once(Supplier<T> start) {
            this.start = start;
        }

        synchronized T get() {
            if (failure != null) {
                throw new IllegalStateException("it did not start", failure);
            }
            if (value == null) {
                try {
                    value = start.get();
                } catch (RuntimeException e) {
                    failure = e;
                    throw e;
                }
            }
            return value;
        }
    }
}
