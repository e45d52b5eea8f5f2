package io.holdfast;

/** How much a store's locks survive, strongest first. GUARANTEES.md says what each can still lose. */
public enum Guarantee {
    /** Leases and tokens survive the loss of a minority of the servers (etcd, ZooKeeper). */
    CONSENSUS,
    /** They survive a restart of the server (JDBC on a durable primary, Redis with {@code appendfsync always}). */
    DURABLE,
    /**
     * They survive a failover to any replica that acknowledged them (Redis with the replication barrier), or the loss of
     * a minority of independent servers (a quorum).
     */
    REPLICATED,
    /** As good as that one server; tokens still rise (one Redis, Hazelcast, Geode). */
    SINGLE,
    /** One JVM or one machine (in memory, H2 file). */
    LOCAL
}
