package io.holdfast.spi;

/** What a name stands for. Names of different kinds never meet: a lock and a semaphore may both be called "a". */
public enum ResourceType {
    /** Claimed exclusively or shared: plain, fair and read/write locks. */
    LOCK,
    /** Claimed by permits. */
    SEMAPHORE,
    /** Not claimed at all: counted down, see {@link LatchStore}. */
    LATCH
}
