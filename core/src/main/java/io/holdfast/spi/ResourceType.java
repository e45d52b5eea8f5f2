package io.holdfast.spi;

/** What a name stands for. */
public enum ResourceType {
    /** Claimed exclusively or shared: plain, fair and read/write locks. */
    LOCK,
    /** Claimed by permits: see {@link SemaphoreStore}. */
    SEMAPHORE,
    /** Not claimed at all: counted down, see {@link LatchStore}. */
    LATCH
}
