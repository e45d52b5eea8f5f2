package io.holdfast.internal.engine;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.ClaimContext;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.store.Futures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** The permits of one semaphore that this client took without a handle, the last ones first. */
final class ClientPermits {

    private final ClaimContext engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Hold> holds = new ArrayDeque<>();

    /** When there are more, they are looked through. */
    private int nextLook = Tuning.ENDED_PERMITS;

    ClientPermits(ClaimContext engine) {
        this.engine = engine;
    }

    void add(Hold hold) {
        lock.lock();
        try {
            holds.push(hold);
            if (holds.size() > nextLook) {
                forgetOldest();
                nextLook = holds.size() + Tuning.ENDED_PERMITS;
            }
        } finally {
            lock.unlock();
        }
    }

    /** As they are, in the order in which they are given back. */
    List<Hold> copy() {
        lock.lock();
        try {
            return List.copyOf(holds);
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            forgetUndone();
            return holds.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** How many there are, with the lost ones until they are given back. */
    private int count() {
        lock.lock();
        try {
            forgetUndone();
            return holds.stream().mapToInt(hold -> hold.activeClaim.permits()).sum();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives that many back.
     *
     * @throws IllegalMonitorStateException if there are fewer
     */
    CompletableFuture<Void> release(String what, int permits) {
        List<CompletableFuture<Void>> releases = new ArrayList<>();
        lock.lock();
        try {
            int count = count();
            if (count < permits) {
                throw new IllegalMonitorStateException(
                        what + ": this client has " + count + " permits, so it can't give back " + permits);
            }
            int left = permits;
            while (left > 0) {
                Hold last = holds.getFirst();
                int its = last.activeClaim.permits();
                if (its <= left) {
                    holds.removeFirst();
                    left -= its;
                    releases.add(released(last));
                } else {
                    last.activeClaim.keepPermits(its - left);
                    left = 0;
                    releases.add(engine.watchdog().extend(last, last.leaseToKeep()));
                }
            }
        } finally {
            lock.unlock();
        }
        return Futures.allOf(releases);
    }

    /** Drops what was granted to callers that had left by then. */
    private void forgetUndone() {
        holds.removeIf(hold -> hold.count() == 0);
    }

    /** Drops the first holds that ended by themselves and were not given back; later ones have taken their place. */
    private void forgetOldest() {
        int ended = 0;
        for (Iterator<Hold> latestFirst = holds.iterator(); latestFirst.hasNext(); ) {
            if (latestFirst.next().isOver() && ++ended > Tuning.ENDED_PERMITS) {
                latestFirst.remove();
            }
        }
    }

    private static CompletableFuture<Void> released(Hold hold) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        hold.leave();
        hold.activeClaim.holder.release(hold, done);
        return done;
    }
}
