package io.holdfast.internal.lock;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;

/** The two locks of one name, as callers see them. */
record ReadWriteFace(DistributedLock readLock, DistributedLock writeLock) implements DistributedReadWriteLock {

    @Override
    public String getName() {
        return writeLock.getName();
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + getName() + "]";
    }
}
