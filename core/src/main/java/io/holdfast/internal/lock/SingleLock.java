package io.holdfast.internal.lock;

import io.holdfast.Claimant;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One lock of one client: plain, fair, or one side of a read/write lock. */
final class SingleLock extends LockFace {

    private final LockRequest request;

    /** The mode that this lock looks at and forces; {@code null} for all that hold the name. */
    private final @Nullable Mode side;

    /** What was found last: an owner that enters again need not be looked for. Any thread may see an older one. */
    private @Nullable Hold recent;

    SingleLock(Engine engine, String name, LockRequest request, @Nullable Mode side, LeaseTerms watchdog) {
        super(engine, name, watchdog);
        this.request = request;
        this.side = side;
    }

    Mode mode() {
        return request.mode();
    }

    @Override
    PendingRequest ask(LeaseTerms terms, LockOwner owner, long waitNanos, boolean barging) {
        // Where there is no queue, a fair lock is refused however it is asked for.
        boolean passes = barging && engine().capabilities().canQueue();
        return engine().ask(getName(), passes ? request.barging() : request, terms, owner, waitNanos);
    }

    @Override
    boolean tryTakeUp(LeaseTerms terms) {
        return request.isPlain() && engine().tryTakeUp(getName(), terms) != null;
    }

    @Override
    @Nullable
    Hold heldBy(long ownerId) {
        Hold known = recent;
        if (known != null && known.isOwnedBy(ownerId) && known.count() > 0 && !known.isOver()) {
            return known;
        }
        Hold found = engine().holdOf(getName(), request.mode(), ownerId);
        recent = found;
        return found;
    }

    /** What the owner holds, and was told that it does. */
    @Nullable
    Hold takenBy(long ownerId) {
        Hold held = heldBy(ownerId);
        return held == null || held.count() == 0 ? null : held;
    }

    @Override
    @Nullable
    Hold lostBy(long ownerId) {
        return engine().lost().find(getName(), request.mode(), ownerId);
    }

    @Override
    @Nullable
    CompletableFuture<Void> leave(long ownerId) {
        Hold hold = heldBy(ownerId);
        // With the last one the clock is asked whether the lease has ended; before that it is enough to have been told.
        if (hold != null && (hold.count() > 1 ? !hold.isOver() : hold.isValid())) {
            int inside = hold.leave();
            if (inside == 0) {
                recent = null;
            }
            if (inside > 0 || (inside == 0 && hold.activeClaim.holder.tryLeaveForNext(hold))) {
                return null;
            }
            if (inside == 0) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                hold.activeClaim.holder.release(hold, done);
                return done;
            }
        }
        Hold lost = hold != null && hold.count() > 0 ? hold : lostBy(ownerId);
        if (lost != null && lost.count() > 0) {
            engine().lost().remember(lost);
            if (lost.leave() <= 0) {
                engine().lost().forget(lost);
            }
            throw lost.lossException();
        }
        throw new IllegalMonitorStateException(Messages.label(ResourceType.LOCK, getName()) + " is not held by thread "
                + ownerId + " (" + Thread.currentThread().getName() + ") of this client");
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    @Override
    boolean isReentrant() {
        return request.reentrant();
    }

    @Override
    CompletableFuture<Boolean> locked() {
        return holders().thenApply(holders -> !holders.isEmpty());
    }

    @Override
    CompletableFuture<Long> timeToLive() {
        return holders()
                .thenApply(holders -> holders.stream()
                        .mapToLong(holder -> holder.timeLeft().toMillis())
                        .max()
                        .orElse(-2));
    }

    /** The holders; of one side of a read/write lock, those in its mode. */
    private CompletableFuture<List<Claimant>> holders() {
        return engine().inspectAsync(Resource.lock(getName()))
                .thenApply(state -> side == null
                        ? state.holders()
                        : state.holders().stream()
                                .filter(holder -> holder.mode() == side)
                                .toList());
    }

    @Override
    CompletableFuture<Boolean> force() {
        return side == null
                ? engine().forceReleaseAsync(Resource.lock(getName()), OptionalLong.empty())
                : forceHolders(Tuning.FORCE_ATTEMPTS);
    }

    /** Ends the claims of this side that are seen; looks again if another holder took their place before that. */
    private CompletableFuture<Boolean> forceHolders(int attempts) {
        return holders().thenCompose(holders -> {
            if (holders.isEmpty() || attempts == 0) {
                return CompletableFuture.completedFuture(false);
            }
            CompletableFuture<Boolean> forced = CompletableFuture.completedFuture(false);
            for (Claimant holder : holders) {
                forced = forced.thenCombine(force(holder), Boolean::logicalOr);
            }
            return forced.thenCompose(
                    any -> any ? CompletableFuture.completedFuture(true) : forceHolders(attempts - 1));
        });
    }

    /** A holder without a token is the lock of another library, which has it alone. */
    private CompletableFuture<Boolean> force(Claimant holder) {
        Long token = holder.token();
        return engine().forceReleaseAsync(
                        Resource.lock(getName()), token == null ? OptionalLong.empty() : OptionalLong.of(token));
    }

    @Override
    public String toString() {
        return "DistributedLock[" + Messages.line(getName()) + (request.fair() ? ", fair" : "")
                + (request.mode() == Mode.SHARED ? ", read" : "") + "]";
    }
}
