package io.holdfast.redis;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who listens to which channel of a cluster. Each is watched at the server that keeps its slot, which one whose messages
 * go to the whole cluster need not be but may; it moves when the slot does.
 */
final class ClusterSubscriptions {

    private final IntFunction<@Nullable ClusterNode> nodeOf;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Watch> watches = new HashSet<>();

    private static final class Watch {
        final int slot;
        final Function<ClusterNode, Runnable> begin;

        @Nullable
        ClusterNode at;

        Runnable end = () -> {};

        Watch(int slot, Function<ClusterNode, Runnable> begin) {
            this.slot = slot;
            this.begin = begin;
        }
    }

    ClusterSubscriptions(IntFunction<@Nullable ClusterNode> nodeOf) {
        this.nodeOf = nodeOf;
    }

    /**
     * Watches until the answer is run.
     *
     * @param begin watches at one server, until its answer is run
     */
    Runnable add(String channel, Function<ClusterNode, Runnable> begin) {
        Watch watch = new Watch(Keys.slot(channel), begin);
        lock.lock();
        try {
            watches.add(watch);
            follow(watch);
        } finally {
            lock.unlock();
        }
        return () -> remove(watch);
    }

    /** Slots may be kept elsewhere now. */
    void follow() {
        lock.lock();
        try {
            watches.forEach(this::follow);
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return watches.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            watches.clear();
        } finally {
            lock.unlock();
        }
    }

    private void remove(Watch watch) {
        lock.lock();
        try {
            if (watches.remove(watch)) {
                watch.end.run();
            }
        } finally {
            lock.unlock();
        }
    }

    private void follow(Watch watch) {
        ClusterNode node = nodeOf.apply(watch.slot);
        if (node != null && node != watch.at) {
            watch.end.run();
            watch.at = node;
            watch.end = watch.begin.apply(node);
        }
    }
}
