package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One lock to take, by its evaluated name.
 *
 * @param capacity how many permits a semaphore has; zero for a lock
 * @param permits how many of them are taken
 */
record LockTarget(Holdfast client, LockKind kind, String name, int capacity, int permits) {

    /** What is the same lock in the store of a client. */
    record Key(Holdfast client, boolean semaphore, String name) {}

    static LockTarget of(Holdfast client, LockKind kind, String name) {
        return new LockTarget(client, kind, name, 0, 1);
    }

    Key key() {
        return new Key(client, kind == LockKind.SEMAPHORE, name);
    }

    boolean isSemaphore() {
        return kind == LockKind.SEMAPHORE;
    }

    DistributedSemaphore semaphore() {
        return client.semaphore(name, capacity);
    }

    private DistributedLock single() {
        return switch (kind) {
            case PLAIN -> client.lock(name);
            case FAIR -> client.fairLock(name);
            case READ -> client.readWriteLock(name).readLock();
            case WRITE -> client.readWriteLock(name).writeLock();
            case SEMAPHORE -> throw new IllegalStateException("a semaphore is not a lock");
        };
    }

    /** The lock, or the multi-lock where there are several. */
    static DistributedLock lock(List<LockTarget> targets) {
        return targets.size() == 1
                ? targets.get(0).single()
                : Holdfast.multiLock(targets.stream().map(LockTarget::single).toArray(DistributedLock[]::new));
    }

    /**
     * Each lock once. Two templates may give the same name, as the two accounts of a transfer to oneself do; the stronger kind
     * serves both.
     */
    static List<LockTarget> distinct(Collection<LockTarget> all) {
        Map<Key, LockTarget> distinct = new LinkedHashMap<>();
        for (LockTarget target : all) {
            distinct.merge(target.key(), target, (one, other) -> one.kind == LockKind.READ ? other : one);
        }
        return new ArrayList<>(distinct.values());
    }
}
