package io.holdfast.bench.contestant;

/** What a scenario's locks are kept in. */
public enum Store {
    REDIS,
    POSTGRESQL
}
