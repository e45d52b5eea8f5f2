package io.holdfast.internal.claim;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LocalHold;
import io.holdfast.internal.Limits;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Messages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One owner's hold on a lock, from its grant to its end. How often the owner has entered is counted here, and
 * no step waits for it. What ends it is decided on its queue's strand, but any thread can see at once that its time is over.
 */
public final class Hold implements HeldLease {

    private static final VarHandle ENTRIES;

    static {
        try {
            ENTRIES = MethodHandles.lookup().findVarHandle(Hold.class, "entries", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** How a hold stands; it leaves {@code LIVE} once. */
    private enum State {
        LIVE,
        RELEASED,
        LOST
    }

    private static final int NEVER = Integer.MAX_VALUE;

    /** One entry of the owner's. */
    private static final long ENTRY = 1;

    /** One entry that is granted to a caller that has not been told so: it is not held yet. */
    private static final long RESERVED = 1L << 32;

    public final ActiveClaim activeClaim;

    /** When its owner had it: later than it was granted, if a thread had to be woken first. */
    private long begunAt;

    private final long ownerId;
    private final boolean handle;
    private final boolean ownedById;

    /** The thread that asked, for inspection. */
    private final String thread;

    private final long token;

    private volatile State state = State.LIVE;

    /** How often the owner has entered, and above that how many entries are reserved. */
    private volatile long entries;

    /** From which depth of re-entry on the watchdog keeps this hold. */
    private volatile int watchdogFrom;

    /** What the watchdog keeps it for. */
    private volatile Duration keptFor;

    /** Whether {@link HoldCounts} has it on its list already. */
    volatile boolean countNoted;

    /** Gives it back later; if its client is closed before that, it ends by itself at the store. */
    private volatile @Nullable Timer laterClose;

    /** Whether it was given back whole. */
    private boolean closed;

    /** Whether a client that closes leaves it to its lease. */
    private volatile boolean leftToLease;

    /** Made when a callback is registered, or on a loss. */
    private @Nullable Loss loss;

    static final class Loss {
        @Nullable
        String reason;

        List<Consumer<? super Lease>> actions = new ArrayList<>(1);
    }

    /** A hold whose first entry is reserved for a caller that is about to be told. */
    public Hold(ActiveClaim activeClaim, LockOwner owner, long token, long begunAt) {
        this(activeClaim, owner, token, begunAt, RESERVED);
    }

    /** A hold that its owner has from the start. */
    public static Hold entered(ActiveClaim activeClaim, LockOwner owner, long token, long begunAt) {
        return new Hold(activeClaim, owner, token, begunAt, ENTRY);
    }

    private Hold(ActiveClaim activeClaim, LockOwner owner, long token, long begunAt, long entries) {
        this.activeClaim = activeClaim;
        this.ownerId = owner.id();
        this.handle = owner.isHandle();
        this.ownedById = owner.type() == LockOwner.Type.ID;
        this.thread = owner.thread();
        this.token = token;
        this.begunAt = begunAt;
        this.entries = entries;
        this.watchdogFrom = activeClaim.terms.watchdog() ? 1 : NEVER;
        this.keptFor = activeClaim.terms.lease();
    }

    private ClaimContext engine() {
        return activeClaim.engine();
    }

    // ---- what the owner sees ----------------------------------------------------------------------------------

    @Override
    public String name() {
        return activeClaim.name();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public boolean isValid() {
        return isValid(engine().now());
    }

    public boolean isValid(long now) {
        return state == State.LIVE && activeClaim.isLive(now);
    }

    /** {@link #isValid(long)} without making the end final. */
    public boolean seemsValid(long now) {
        return state == State.LIVE && activeClaim.seemsLive(now);
    }

    @Override
    public Duration remaining() {
        long now = engine().now();
        return state == State.LIVE && activeClaim.isLive(now)
                ? Duration.ofNanos(Math.max(0, activeClaim.deadline(now) - now))
                : Duration.ZERO;
    }

    @Override
    public void extend(Duration lease) {
        Await.uninterruptibly(engine().watchdog().extend(this, Limits.lease(lease)));
    }

    @Override
    public void onLost(Consumer<? super Lease> action) {
        Objects.requireNonNull(action);
        boolean now;
        synchronized (activeClaim) {
            now = state == State.LOST;
            if (!now) {
                loss().actions.add(action);
            }
        }
        if (now) {
            engine().callBack(() -> action.accept(this));
        }
    }

    @Override
    public void close() {
        Await.uninterruptibly(releaseAll());
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return engine().onCallbackExecutor(releaseAll());
    }

    @Override
    public void closeAfter(Duration delay) {
        Await.uninterruptibly(closeAfterAsync(Limits.lease(delay)));
    }

    @Override
    public CompletableFuture<Void> closeAfterAsync(Duration delay) {
        Timer timer = new Timer(this::releaseAll);
        synchronized (activeClaim) {
            if (closed) {
                return CompletableFuture.completedFuture(null);
            }
            cancelLaterClose();
            laterClose = timer;
        }
        engine().timers().arm(timer, engine().now() + Limits.saturatedNanos(delay));
        return extendAsync(delay);
    }

    /** Whether it is to stay at the store when its client is closed. */
    public boolean outlivesClient() {
        return laterClose != null;
    }

    private CompletableFuture<Void> releaseAll() {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        synchronized (activeClaim) {
            if (closed) {
                return CompletableFuture.completedFuture(null);
            }
            closed = true;
            cancelLaterClose();
        }
        entries = 0;
        engine().lost().forget(this);
        activeClaim.holder.release(this, closing);
        return closing;
    }

    private void cancelLaterClose() {
        Timer timer = laterClose;
        if (timer != null) {
            engine().timers().cancel(timer);
        }
    }

    // ---- entering and leaving ---------------------------------------------------------------------------------

    public long begunAt() {
        return begunAt;
    }

    /** Its owner's thread, which slept, is awake. */
    public void begins(long now) {
        begunAt = now;
    }

    /** Whether it is itself the only proof of ownership. */
    public boolean isHandle() {
        return handle;
    }

    public long ownerId() {
        return ownerId;
    }

    public boolean isOwnedBy(long id) {
        return !isHandle() && ownerId == id;
    }

    /** True if that is its owner, which may enter again. */
    public boolean isOwnedBy(LockOwner owner) {
        return !owner.isHandle() && isOwnedBy(owner.id());
    }

    @Override
    public int count() {
        return (int) entries;
    }

    /** All entries, the reserved ones among them. */
    public int depth() {
        return depth(entries);
    }

    private static int depth(long entries) {
        return (int) entries + (int) (entries >>> 32);
    }

    @Override
    public boolean tryEnter(LeaseTerms terms) {
        return tryEnter(terms, ENTRY);
    }

    /** Enters for a caller that has yet to be told, and {@linkplain #confirm confirms} it then, or {@linkplain #cancel not}. */
    public boolean tryReserve(LeaseTerms terms) {
        return tryEnter(terms, RESERVED);
    }

    private boolean tryEnter(LeaseTerms terms, long entry) {
        if (!isValid()) {
            return false;
        }
        long seen;
        do {
            seen = entries;
            if (seen == 0) {
                return false;
            }
        } while (!ENTRIES.compareAndSet(this, seen, seen + entry));
        if (watchdogFrom == NEVER) {
            enterLeased(terms, depth(seen) + 1);
        }
        engine().holdCounts().changed(this);
        return true;
    }

    @Override
    public void confirm() {
        ENTRIES.getAndAdd(this, ENTRY - RESERVED);
    }

    @Override
    public CompletableFuture<Void> cancel() {
        return engine().undo(this, cancelled());
    }

    /** Inside a hold that ends by itself, the nested one may need it for longer; it never makes it shorter. */
    private void enterLeased(LeaseTerms terms, int depth) {
        if (terms.watchdog()) {
            keptFor = terms.lease();
            watchdogFrom = depth;
            engine().watchdog().keepNow(activeClaim);
        } else if (LeaseTerms.deadline(engine().now(), terms.lease()) - activeClaim.deadline(engine().now()) > 0) {
            engine().watchdog().extend(this, terms.lease());
        }
    }

    @Override
    public void undo() {
        engine().undo(this, leave());
    }

    @Override
    public CompletableFuture<Void> extendAsync(Duration lease) {
        return engine().watchdog().extend(this, lease);
    }

    @Override
    public void stopKeeping() {
        if (watchdogFrom == depth()) { // otherwise its owner had it before, and keeps it
            watchdogFrom = NEVER;
        }
    }

    /** Leaves once; the answer is how many entries are left, the reserved ones among them, or -1 if it was not inside. */
    public int leave() {
        long seen;
        do {
            seen = entries;
            if ((int) seen == 0) {
                return -1;
            }
        } while (!ENTRIES.compareAndSet(this, seen, seen - ENTRY));
        return left(depth(seen) - 1);
    }

    /** Gives up a reserved entry; the answer is how many entries are left. */
    private int cancelled() {
        long seen;
        do {
            seen = entries;
            if (seen >>> 32 == 0) {
                return -1; // its lease was closed
            }
        } while (!ENTRIES.compareAndSet(this, seen, seen - RESERVED));
        return left(depth(seen) - 1);
    }

    private int left(int depth) {
        if (depth < watchdogFrom && watchdogFrom > 1 && isValid()) {
            watchdogFrom = NEVER;
        }
        if (depth > 0 && state == State.LIVE) {
            engine().holdCounts().changed(this);
        }
        return depth;
    }

    /** Whether the watchdog is to renew it. */
    public boolean isKept() {
        return depth() >= watchdogFrom;
    }

    /** The lease that keeps it for as long as it is meant to last, and no longer. */
    public Duration leaseToKeep() {
        return isKept() ? keptFor : Duration.ofMillis(Math.max(1, remaining().toMillis()));
    }

    public Duration keptFor() {
        return keptFor;
    }

    /**
     * True if the waiter with that future took it. Its caller may have left a moment ago, and may even have come back by then: the hold was
     * there to enter.
     */
    public boolean tryGiveTo(CompletableFuture<@Nullable Hold> result) {
        if (result.complete(this) || cancelled() > 0) {
            return true;
        }
        released(); // its owner may have seen it, and must not take it for the next one
        return false;
    }

    /** Whether it is known to have ended; unlike {@link #isValid()} without asking the clock. */
    public boolean isOver() {
        return state != State.LIVE || activeClaim.hasPassed();
    }

    @Override
    public void leaveToLease() {
        leftToLease = true;
    }

    public boolean isLeftToLease() {
        return leftToLease;
    }

    // ---- ending, on the queue's strand ------------------------------------------------------------------------

    public boolean isReleased() {
        return state == State.RELEASED;
    }

    public void released() {
        state = State.RELEASED;
    }

    /** Tells the owner, once. */
    void lost(String reason) {
        List<Consumer<? super Lease>> actions;
        synchronized (activeClaim) {
            if (state != State.LIVE) {
                return;
            }
            Loss told = loss();
            told.reason = reason;
            state = State.LOST;
            actions = told.actions;
            told.actions = List.of();
        }
        actions.forEach(action -> engine().callBack(() -> action.accept(this)));
    }

    private Loss loss() {
        loss = loss == null ? new Loss() : loss;
        return loss;
    }

    /** Why it is over by its time; the same before its owner has left and after that. */
    public String whyItEnded() {
        return watchdogFrom == NEVER ? "its lease ran out" : "it could not be renewed in time";
    }

    /** Completes a release of a hold that has ended already. */
    public void tellHowItEnded(CompletableFuture<Void> done) {
        if (isReleased()) {
            done.complete(null);
        } else {
            done.completeExceptionally(lossException());
        }
    }

    public LeaseLostException lossException() {
        String reason;
        synchronized (activeClaim) {
            reason = loss == null ? null : loss.reason;
        }
        return new LeaseLostException(activeClaim.label() + " was lost before it was given back: "
                + (reason == null ? whyItEnded() : reason)
                + "; another owner may have held it since (your fencing token was " + token + ")");
    }

    /** What a snapshot shows of it. */
    public LocalHold toLocal(Look look) {
        return new LocalHold(
                name(),
                activeClaim.mode(),
                activeClaim.permits(),
                ownerType().toLocal(ownerId, thread),
                count(),
                token,
                look.when(begunAt),
                timeLeft(look.now()),
                isKept());
    }

    private LockOwner.Type ownerType() {
        if (handle) {
            return LockOwner.Type.HANDLE;
        }
        return ownedById ? LockOwner.Type.ID : LockOwner.Type.THREAD;
    }

    private Duration timeLeft(long now) {
        return state == State.LIVE && activeClaim.seemsLive(now)
                ? Duration.ofNanos(Math.max(0, activeClaim.deadline(now) - now))
                : Duration.ZERO;
    }

    @Override
    public String toString() {
        return "Lease[" + Messages.line(name()) + ", token " + token + ", " + (isValid() ? "valid" : "ended") + "]";
    }
}
