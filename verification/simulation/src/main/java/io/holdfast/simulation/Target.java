package io.holdfast.simulation;

import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;

/**
 * What the callers of a world compete for.
 *
 * @param name what it is called
 * @param sort how it is used
 * @param capacity how many permits it has to begin with; 1 for a lock
 */
record Target(String name, Sort sort, int capacity) {

    /** How a name is used by all callers of a world. */
    enum Sort {
        PLAIN,
        FAIR,
        /** Plain by some, fair by others. */
        MIXED,
        READ_WRITE,
        FAIR_READ_WRITE,
        SEMAPHORE,
        FAIR_SEMAPHORE
    }

    ResourceType type() {
        return sort == Sort.SEMAPHORE || sort == Sort.FAIR_SEMAPHORE ? ResourceType.SEMAPHORE : ResourceType.LOCK;
    }

    Resource resource() {
        return new Resource(type(), name);
    }

    boolean isLock() {
        return type() == ResourceType.LOCK;
    }

    boolean isReadWrite() {
        return sort == Sort.READ_WRITE || sort == Sort.FAIR_READ_WRITE;
    }

    /** Whether everybody who waits for it waits in order. */
    boolean isFair() {
        return sort == Sort.FAIR || sort == Sort.FAIR_READ_WRITE || sort == Sort.FAIR_SEMAPHORE;
    }

    @Override
    public String toString() {
        return name + " " + sort + (isLock() ? "" : " of " + capacity);
    }
}
