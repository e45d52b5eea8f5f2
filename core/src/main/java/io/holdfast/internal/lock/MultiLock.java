package io.holdfast.internal.lock;

import io.holdfast.DistributedLock;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Messages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Several locks as one. It keeps nothing itself: an owner that holds all of them holds it. */
final class MultiLock extends LockFace {

    /** By name first, which is the same in every process, however it writes the address of a store. */
    private static final Comparator<SingleLock> ORDER = Comparator.comparing(SingleLock::getName)
            .thenComparing(lock -> lock.engine().store().description())
            .thenComparing(SingleLock::mode);

    private record Identity(Engine engine, String name) {}

    private final List<SingleLock> locks;

    private MultiLock(List<SingleLock> locks) {
        super(
                locks.get(0).engine(),
                locks.stream().map(SingleLock::getName).collect(Collectors.joining(", ", "[", "]")),
                locks.get(0).watchdog());
        this.locks = locks;
    }

    static MultiLock of(List<DistributedLock> given) {
        List<SingleLock> locks = new ArrayList<>();
        Set<Identity> seen = new LinkedHashSet<>();
        for (DistributedLock lock : given) {
            for (SingleLock single : singles(lock)) {
                if (!seen.add(new Identity(single.engine(), single.getName()))) {
                    throw new IllegalArgumentException(
                            "a multi-lock can't have the lock '" + Messages.line(single.getName())
                                    + "' twice, nor its read and its write lock: it would wait for itself");
                }
                locks.add(single);
            }
        }
        if (locks.isEmpty()) {
            throw new IllegalArgumentException("a multi-lock needs at least one lock");
        }
        locks.sort(ORDER);
        return new MultiLock(List.copyOf(locks));
    }

    private static List<SingleLock> singles(DistributedLock lock) {
        if (lock instanceof SingleLock single) {
            return List.of(single);
        }
        if (lock instanceof MultiLock multi) {
            return multi.locks;
        }
        throw new IllegalArgumentException("a multi-lock is made of locks that a Holdfast client gave, not of " + lock);
    }

    @Override
    PendingRequest ask(LeaseTerms terms, LockOwner owner, long waitNanos, boolean barging) {
        MultiAcquisition ask = new MultiAcquisition(locks, terms, owner, waitNanos, barging);
        Hold lost = lostInPart(owner);
        if (lost == null) {
            ask.begin();
        } else {
            ask.result().completeExceptionally(lost.lossException());
        }
        return ask;
    }

    /**
     * What the owner lost of this while it still has other parts of it. To ask for it anew would be to wait for one lock
     * with a later one in hand, and two owners that do that wait for each other.
     */
    private @Nullable Hold lostInPart(LockOwner owner) {
        Hold lost = null;
        boolean has = false;
        for (SingleLock lock : owner.isHandle() ? List.<SingleLock>of() : locks) {
            Hold held = lock.takenBy(owner.id());
            if (held != null && held.isValid()) {
                has = true;
            } else if (lost == null) {
                lost = held != null ? held : lock.lostBy(owner.id());
            }
        }
        return has ? lost : null;
    }

    @Override
    @Nullable
    HeldLease heldBy(long ownerId) {
        return all(lock -> lock.heldBy(ownerId));
    }

    @Override
    @Nullable
    HeldLease lostBy(long ownerId) {
        return all(lock -> {
            HeldLease held = lock.takenBy(ownerId);
            return held != null ? held : lock.lostBy(ownerId);
        });
    }

    private interface Finder {
        @Nullable
        HeldLease find(SingleLock lock);
    }

    private @Nullable HeldLease all(Finder finder) {
        List<HeldLease> found = new ArrayList<>(locks.size());
        for (SingleLock lock : locks) {
            HeldLease held = finder.find(lock);
            if (held == null) {
                return null;
            }
            found.add(held);
        }
        return new MultiHold(found);
    }

    @Override
    @Nullable
    CompletableFuture<Void> leave(long ownerId) {
        for (SingleLock lock : locks) {
            if (lock.takenBy(ownerId) == null && lock.lostBy(ownerId) == null) {
                throw new IllegalMonitorStateException(
                        "multi-lock " + Messages.line(getName()) + " is not held: " + Messages.line(lock.getName())
                                + " is not held by thread " + ownerId + " ("
                                + Thread.currentThread().getName()
                                + ") of this client; nothing was given back");
            }
        }
        List<CompletableFuture<Void>> releases = new ArrayList<>();
        for (SingleLock lock : locks) {
            try {
                CompletableFuture<Void> release = lock.leave(ownerId);
                if (release != null) {
                    releases.add(release);
                }
            } catch (IllegalMonitorStateException lost) {
                releases.add(CompletableFuture.failedFuture(lost)); // the other locks are released all the same
            }
        }
        return releases.isEmpty() ? null : Futures.allOf(releases);
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    @Override
    boolean isReentrant() {
        return locks.stream().allMatch(SingleLock::isReentrant);
    }

    /** Whether all of them are held, by whomever. */
    @Override
    CompletableFuture<Boolean> locked() {
        return combined(SingleLock::locked, Boolean::logicalAnd);
    }

    /** The least of theirs; {@code -2} if one of them is free. */
    @Override
    CompletableFuture<Long> timeToLive() {
        return combined(SingleLock::timeToLive, Math::min);
    }

    @Override
    CompletableFuture<Boolean> force() {
        return combined(SingleLock::force, Boolean::logicalOr);
    }

    private <T> CompletableFuture<T> combined(
            Function<SingleLock, CompletableFuture<T>> ask, BinaryOperator<T> combination) {
        return locks.stream()
                .map(ask)
                .reduce((all, one) -> all.thenCombine(one, combination))
                .orElseThrow();
    }

    @Override
    public String toString() {
        return "DistributedLock" + Messages.line(getName());
    }
}
