package io.holdfast.internal.time;

/** A monotonic clock. Only differences mean anything; compare with {@code a - b < 0}. */
@FunctionalInterface
public interface Ticker {
    long nanos();
}
