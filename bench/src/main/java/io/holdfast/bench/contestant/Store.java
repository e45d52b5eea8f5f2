package io.holdfast.bench.contestant;

import java.util.Locale;

/** What a scenario's locks are kept in. */
public enum Store {
    REDIS("redis", "one Redis"),
    REPLICAS("redis-replica", "Redis with two replicas"),
    CLUSTER("redis-cluster", "Redis Cluster"),
    POSTGRESQL("postgresql", "PostgreSQL"),
    ZOOKEEPER("zookeeper", "ZooKeeper");

    private final String scheme;
    private final String label;

    Store(String scheme, String label) {
        this.scheme = scheme;
        this.label = label;
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What its URLs begin with, here and in Holdfast. */
    public String scheme() {
        return scheme;
    }

    public String label() {
        return label;
    }

    public boolean isRedis() {
        return scheme.startsWith(REDIS.scheme);
    }
}
