package io.holdfast.redis;

import io.holdfast.redis.Deployment.Form;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says where a Redis is and how to connect to it. One of {@link #single}, {@link #replicated}, {@link #sentinel} and {@link
 * #cluster} is needed, everything else has a default. Nothing of a builder's secrets is in its {@code toString}, nor in
 * what the store throws or logs.
 */
public final class RedisStoreBuilder {

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    static final Duration TOKENS_KEPT = Duration.ofDays(1);

    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26379;

    private @Nullable Form form;
    private List<Address> nodes = List.of();
    private @Nullable String master;
    private @Nullable String user;
    private char @Nullable [] password;
    private @Nullable String sentinelUser;
    private char @Nullable [] sentinelPassword;
    private int database;
    private @Nullable RedisTls tls;
    private Duration timeout = DEFAULT_TIMEOUT;
    private String clientName = "holdfast";
    private @Nullable ReplicationBarrier barrier;
    private @Nullable Duration barrierTimeout;
    private Duration tokensKept = TOKENS_KEPT;

    RedisStoreBuilder() {}

    /** One server, or one address behind which a service keeps one. */
    public RedisStoreBuilder single(String host, int port) {
        String bracketed = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        Address address = Address.parse(bracketed, PORT);
        return nodes(Form.SINGLE, List.of(new Address(address.host(), port)));
    }

    /**
     * A master and its replicas, in any order: whichever says that it is the master is used. For failovers that are done by
     * hand, or by something that does not tell.
     *
     * @param nodes all of them, as {@code host:port}; all but the master are counted as replicas
     */
    public RedisStoreBuilder replicated(String... nodes) {
        return nodes(Form.REPLICATED, addresses(PORT, nodes));
    }

    /**
     * The master that Sentinel knows by that name.
     *
     * @param sentinels as {@code host:port}, best all of them
     */
    public RedisStoreBuilder sentinel(String master, String... sentinels) {
        if (master.isEmpty()) {
            throw new IllegalArgumentException("a master has a name");
        }
        this.master = master;
        return nodes(Form.SENTINEL, addresses(SENTINEL_PORT, sentinels));
    }

    /**
     * A cluster.
     *
     * @param nodes some of its nodes, as {@code host:port}; the others are found
     */
    public RedisStoreBuilder cluster(String... nodes) {
        return nodes(Form.CLUSTER, addresses(PORT, nodes));
    }

    /** The user to log in as; the default user if there is only a password. */
    public RedisStoreBuilder user(String user) {
        this.user = Objects.requireNonNull(user);
        return this;
    }

    public RedisStoreBuilder password(char[] password) {
        this.password = password.clone();
        return this;
    }

    /** For sentinels that want a password; the user may be {@code null} for the default one. */
    public RedisStoreBuilder sentinelUser(@Nullable String user, char[] password) {
        this.sentinelUser = user;
        this.sentinelPassword = password.clone();
        return this;
    }

    /** 0 by default, which is the only one that a cluster has. */
    public RedisStoreBuilder database(int database) {
        if (database < 0 || database > 999_999) {
            throw new IllegalArgumentException("a database is 0 or more, not " + database);
        }
        this.database = database;
        return this;
    }

    /** TLS to servers and sentinels, never downgraded. */
    public RedisStoreBuilder tls(RedisTls tls) {
        this.tls = Objects.requireNonNull(tls);
        return this;
    }

    /** How long making a connection may take. 5 s by default. */
    public RedisStoreBuilder timeout(Duration timeout) {
        this.timeout = positive(timeout, "time-out");
        return this;
    }

    /** What the servers' lists of clients show. */
    public RedisStoreBuilder clientName(String clientName) {
        this.clientName = Objects.requireNonNull(clientName);
        return this;
    }

    /** {@link ReplicationBarrier#all()} by default, and for a single server {@link ReplicationBarrier#none()}. */
    public RedisStoreBuilder barrier(ReplicationBarrier barrier) {
        this.barrier = Objects.requireNonNull(barrier);
        return this;
    }

    /**
     * How long replicas have to acknowledge a grant before it is given back. An eighth of the time-out by default: with the
     * next one that waits for the same, and the command itself, less than a client waits for an answer.
     */
    public RedisStoreBuilder barrierTimeout(Duration timeout) {
        this.barrierTimeout = positive(timeout, "barrier's time-out");
        return this;
    }

    /**
     * How long the last token of a name is kept after its lock has ended, and with it the memory that each name takes; at least
     * a second. A day by default. Tokens rise by the server's clock in any case: the last one is needed if that is set back,
     * or a replica with another one is promoted, by more than the time since.
     */
    public RedisStoreBuilder tokensKept(Duration kept) {
        if (kept.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("tokens must be kept for at least 1 s, not " + kept);
        }
        this.tokensKept = kept;
        return this;
    }

    /**
     * Opens the store; no server need be reachable yet.
     *
     * @throws IllegalStateException if it was not said where to connect to, or settings contradict each other
     */
    public RedisStore open() {
        return RedisStore.open(deployment());
    }

    Deployment deployment() {
        if (form == null) {
            throw new IllegalStateException("say where Redis is: single, replicated, sentinel or cluster");
        }
        ReplicationBarrier wanted =
                barrier != null ? barrier : form == Form.SINGLE ? ReplicationBarrier.none() : ReplicationBarrier.all();
        if (form == Form.SINGLE && wanted.isAll()) {
            throw new IllegalStateException(
                    "a single address does not say how many replicas it has: give their number");
        }
        if (form == Form.CLUSTER && database != 0) {
            throw new IllegalStateException("a cluster has database 0 only");
        }
        if (user != null && password == null) {
            throw new IllegalStateException("there is a user without a password");
        }
        return new Deployment(
                form,
                nodes,
                master,
                template(user, password, database),
                template(sentinelUser, sentinelPassword, 0),
                wanted,
                barrierTimeout == null ? defaultBarrierTimeout(timeout) : barrierTimeout,
                tls,
                tokensKept);
    }

    static Duration defaultBarrierTimeout(Duration timeout) {
        Duration eighth = timeout.dividedBy(8);
        return eighth.compareTo(Duration.ofMillis(10)) < 0 ? Duration.ofMillis(10) : eighth;
    }

    private RedisURI template(@Nullable String user, char @Nullable [] password, int database) {
        RedisURI uri = new RedisURI();
        uri.setSsl(tls != null);
        uri.setDatabase(database);
        uri.setTimeout(timeout);
        uri.setClientName(clientName);
        if (password != null) {
            uri.setCredentialsProvider(new StaticCredentialsProvider(user, password));
        }
        return uri;
    }

    private RedisStoreBuilder nodes(Form form, List<Address> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("name at least one server");
        }
        if (Set.copyOf(nodes).size() < nodes.size()) {
            throw new IllegalArgumentException("it names a server twice"); // which would be counted twice
        }
        this.form = form;
        this.nodes = List.copyOf(nodes);
        return this;
    }

    private static List<Address> addresses(int port, String... nodes) {
        List<Address> addresses = new ArrayList<>();
        for (String node : nodes) {
            addresses.add(Address.parse(node, port));
        }
        return addresses;
    }

    private static Duration positive(Duration duration, String what) {
        if (duration.isZero() || duration.isNegative() || duration.toMillis() < 1) {
            throw new IllegalArgumentException("the " + what + " must be at least 1 ms, not " + duration);
        }
        return duration;
    }

    @Override
    public String toString() {
        return "RedisStoreBuilder[" + nodes + (tls == null ? "" : ", " + tls) + "]";
    }
}
