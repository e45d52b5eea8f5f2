package io.holdfast.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The properties {@code holdfast.*}. */
@ConfigurationProperties("holdfast")
public class HoldfastProperties {

    /** URI of the store, as in redis://host:6379. Without it, the store is on a connection that the application has. */
    private @Nullable String uri;

    /** Which of the application's connections the store is on; needed where there are several. */
    private @Nullable StoreType store;

    /** Lease that the watchdog renews: how long a lock outlives a process that dies. */
    private Duration lease = Duration.ofSeconds(30);

    /** How long a call keeps trying a store that does not answer. */
    private Duration timeout = Duration.ofSeconds(5);

    /** Name that the store and an inspection show for this client; its UUID by default. */
    private @Nullable String clientName;

    /** Whether the start fails if the store does not answer. */
    private boolean verify;

    private final Redis redis = new Redis();
    private final Zookeeper zookeeper = new Zookeeper();
    private final Health health = new Health();
    private final Locks locks = new Locks();
    private final Registry registry = new Registry();

    public @Nullable String getUri() {
        return uri;
    }

    public void setUri(@Nullable String uri) {
        this.uri = uri;
    }

    public @Nullable StoreType getStore() {
        return store;
    }

    public void setStore(@Nullable StoreType store) {
        this.store = store;
    }

    public Duration getLease() {
        return lease;
    }

    public void setLease(Duration lease) {
        this.lease = lease;
    }

    public Duration getTimeout() {
        return timeout;
    }

    public void setTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    public @Nullable String getClientName() {
        return clientName;
    }

    public void setClientName(@Nullable String clientName) {
        this.clientName = clientName;
    }

    public boolean isVerify() {
        return verify;
    }

    public void setVerify(boolean verify) {
        this.verify = verify;
    }

    public Redis getRedis() {
        return redis;
    }

    public Zookeeper getZookeeper() {
        return zookeeper;
    }

    public Health getHealth() {
        return health;
    }

    public Locks getLocks() {
        return locks;
    }

    public Registry getRegistry() {
        return registry;
    }

    /** Which of the application's connections a store is on. */
    public enum StoreType {
        /** The server, the sentinels or the cluster of {@code spring.data.redis.*}. */
        REDIS,
        /** The {@code DataSource}. */
        JDBC,
        /** The ensemble of the {@code CuratorFramework}. */
        ZOOKEEPER
    }

    /** A store on {@code spring.data.redis.*}. */
    public static class Redis {

        /**
         * How many replicas acknowledge a grant or a renewal: all, none or a number. By default all, and none for a single
         * server.
         */
        private @Nullable String replicas;

        public @Nullable String getReplicas() {
            return replicas;
        }

        public void setReplicas(@Nullable String replicas) {
            this.replicas = replicas;
        }
    }

    /** A store on the application's {@code CuratorFramework}. */
    public static class Zookeeper {

        /** Node below which everything is kept. */
        private String root = "/holdfast";

        public String getRoot() {
            return root;
        }

        public void setRoot(String root) {
            this.root = root;
        }
    }

    /** What the health indicator tells. */
    public static class Health {

        /** How long a lost lease is told. */
        private Duration recent = Duration.ofMinutes(10);

        public Duration getRecent() {
            return recent;
        }

        public void setRecent(Duration recent) {
            this.recent = recent;
        }
    }

    /** What happens to a lock that is asked for in a transaction that has already begun. */
    public enum InTransaction {
        /** It is held until the transaction has completed. */
        HOLD,
        /** That fails. */
        REFUSE
    }

    /** What holds for each {@code @WithLock} that does not say otherwise. */
    public static class Locks {

        /** How long a method waits for its lock; without it, for as long as it takes. */
        private @Nullable Duration waitAtMost;

        /** What happens to a lock that is asked for in a transaction that has already begun. */
        private InTransaction inTransaction = InTransaction.HOLD;

        public @Nullable Duration getWaitAtMost() {
            return waitAtMost;
        }

        public void setWaitAtMost(@Nullable Duration waitAtMost) {
            this.waitAtMost = waitAtMost;
        }

        public InTransaction getInTransaction() {
            return inTransaction;
        }

        public void setInTransaction(InTransaction inTransaction) {
            this.inTransaction = inTransaction;
        }
    }

    /** The lock registry for Spring Integration. */
    public static class Registry {

        /** What the names of its locks begin with. */
        private String prefix = "";

        public String getPrefix() {
            return prefix;
        }

        public void setPrefix(String prefix) {
            this.prefix = prefix;
        }
    }

    /** Without the URI, which may hold a password. */
    @Override
    public String toString() {
        return "HoldfastProperties[store=" + store + ", lease=" + lease + ", timeout=" + timeout + "]";
    }
}
