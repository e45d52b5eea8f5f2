package io.holdfast.tck;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockOptions;

/** Every kind of lock that a name stands for, but the plain one. */
enum LockKind {
    FAIR {
        @Override
        DistributedLock of(Holdfast client, String name) {
            return client.fairLock(name);
        }
    },
    WRITE {
        @Override
        DistributedLock of(Holdfast client, String name) {
            return client.readWriteLock(name).writeLock();
        }
    },
    READ {
        @Override
        DistributedLock of(Holdfast client, String name) {
            return client.readWriteLock(name).readLock();
        }
    },
    FAIR_WRITE {
        @Override
        DistributedLock of(Holdfast client, String name) {
            return client.readWriteLock(name, LockOptions.defaults().fair()).writeLock();
        }
    },
    FAIR_READ {
        @Override
        DistributedLock of(Holdfast client, String name) {
            return client.readWriteLock(name, LockOptions.defaults().fair()).readLock();
        }
    },
    MULTI {
        /** Two of a kind, of which the one that is asked for comes last. */
        @Override
        DistributedLock of(Holdfast client, String name) {
            return Holdfast.multiLock(client.lock(name), client.lock(" before " + name));
        }
    };

    abstract DistributedLock of(Holdfast client, String name);

    /** Whether several can hold it. */
    boolean isShared() {
        return this == READ || this == FAIR_READ;
    }
}
