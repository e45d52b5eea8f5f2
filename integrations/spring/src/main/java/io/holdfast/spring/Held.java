package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.spi.Messages;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The locks of one call, from their grant until they are given back. */
final class Held {

    /** How one entry of the owner's is given back, from any thread. */
    interface Release {

        /** Waits until the store has answered. */
        void now();

        CompletableFuture<Void> async();

        /** The lease belongs to the call. */
        static Release of(Lease lease) {
            return new Release() {
                @Override
                public void now() {
                    lease.close();
                }

                @Override
                public CompletableFuture<Void> async() {
                    return lease.closeAsync();
                }
            };
        }
    }

    private static final Logger log = LoggerFactory.getLogger(Held.class);

    private final Set<LockTarget.Key> keys = new HashSet<>();
    private final Lease lease;
    private final Release release;
    private final LockSettings settings;
    private final boolean ownedByCall;
    private final long begunAt = System.nanoTime();
    private final AtomicBoolean givenBack = new AtomicBoolean();

    Held(List<LockTarget> targets, Lease lease, Release release, LockSettings settings, boolean ownedByCall) {
        targets.forEach(target -> keys.add(target.key()));
        this.lease = lease;
        this.release = release;
        this.settings = settings;
        this.ownedByCall = ownedByCall;
    }

    Lease lease() {
        return lease;
    }

    boolean has(LockTarget.Key key) {
        return keys.contains(key);
    }

    /** Whether no other call of the thread may enter it again. */
    boolean ownedByCall() {
        return ownedByCall;
    }

    private boolean tellsLoss() {
        return settings.onLost() != OnLost.LOG;
    }

    /** @throws LeaseLostException if the lease has ended and a loss is to be told */
    void verify() {
        if (tellsLoss() && !lease.isValid()) {
            throw lost();
        }
    }

    /** What {@link #verify()} would throw, or {@code null}. */
    @Nullable
    LeaseLostException loss() {
        return tellsLoss() && !lease.isValid() ? lost() : null;
    }

    LeaseLostException lost() {
        return new LeaseLostException("lock '" + Messages.line(lease.name())
                + "' was lost while the work under it ran; another owner may have held it since (the fencing token was "
                + lease.token() + ")");
    }

    // ---- giving back ------------------------------------------------------------------------------------------

    /**
     * Gives the locks back, once, after the body has ended normally. The body has run under its lock if the lease is valid now; then a
     * release that the store does not confirm is no failure of the call, since the lock ends by its lease.
     *
     * @throws LeaseLostException if the lock was lost, and that is to be told
     */
    void release() {
        if (givenBack.compareAndSet(false, true)) {
            RuntimeException failure = tryRelease();
            if (failure instanceof LeaseLostException && tellsLoss()) {
                throw failure;
            }
            warn(failure);
        }
    }

    /** Gives the locks back, once, after the body has failed: that failure stays the one that the caller sees. */
    void release(Throwable bodyFailure) {
        if (givenBack.compareAndSet(false, true)) {
            RuntimeException failure = tryRelease();
            if (failure != null && failure != bodyFailure) {
                bodyFailure.addSuppressed(failure);
            }
        }
    }

    private @Nullable RuntimeException tryRelease() {
        try {
            if (!closesLater()) {
                release.now();
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** {@link #release()} without waiting. */
    CompletableFuture<Void> releaseAsync() {
        if (!givenBack.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> released;
        try {
            released = closesLater() ? CompletableFuture.completedFuture(null) : release.async();
        } catch (RuntimeException e) {
            released = CompletableFuture.failedFuture(e);
        }
        return released.handle((nothing, failure) -> {
            Throwable cause = Failures.cause(failure);
            if (cause instanceof LeaseLostException lost && tellsLoss()) {
                throw lost;
            }
            warn(cause);
            return null;
        });
    }

    private void warn(@Nullable Throwable failure) {
        if (failure instanceof LeaseLostException) {
            log.warn("{}", failure.getMessage());
        } else if (failure != null) {
            log.warn("The release of lock '{}' is not confirmed: {}", Messages.line(lease.name()), failure.toString());
        }
    }

    /** Keeps the locks for the rest of the time for which they are to be held at least, if there is one. */
    private boolean closesLater() {
        Duration left = settings.atLeast().minusNanos(System.nanoTime() - begunAt);
        if (left.isNegative() || left.isZero()) {
            return false;
        }
        lease.closeAfter(left);
        return true;
    }
}
