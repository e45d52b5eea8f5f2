package io.holdfast;

/** How much a store's locks survive, strongest first. GUARANTEES.md says what each can still lose. */
public enum Guarantee {
    /** Leases and tokens survive the loss of a minority of the servers (etcd, ZooKeeper). */
    CONSENSUS,
    /** They survive a crash and a restart of the server: a database that keeps what it has committed (PostgreSQL, MySQL, MariaDB). */
    DURABLE,
    /**
     * They survive a failover to any replica that acknowledged them (Redis with the replication barrier), or the loss of
     * a minority of independent servers (a quorum).
     */
    REPLICATED,
    /**
     * As good as that one server; tokens still rise. One Redis, whatever its {@code appendfsync}, which it does not tell; a
     * cluster of which a master has no replica; a server of H2.
     */
    SINGLE,
    /** One JVM or one machine (in memory, H2 file). */
    LOCAL
}
