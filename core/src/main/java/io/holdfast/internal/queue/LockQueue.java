package io.holdfast.internal.queue;

import io.holdfast.LockEvent;
import io.holdfast.LockEvent.Granted;
import io.holdfast.internal.claim.Acquisition;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The local queue of one name: what asks for the name in this client, waits for it or holds it. The waiters of a plain lock
 * share one claim, in the {@link PlainQueue} that this is; every other waiter has a {@link QueuedClaim} of its own. Steps that come
 * from outside are at the edge, below.
 */
public final class LockQueue extends PlainQueue {

    private volatile QueuedClaims queuedClaims = QueuedClaims.NONE;
    private boolean retired;

    /** True while a waiter is being admitted: a hold that turns out to have ended must not retire the queue under it. */
    private boolean admitting;

    public LockQueue(QueueContext engine, ResourceType type, String name) {
        super(engine, type, name);
    }

    // ---- the edge: called from anywhere -----------------------------------------------------------------------

    public ResourceType type() {
        return type;
    }

    @Override
    public QueueContext engine() {
        return engine;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Mode mode() {
        return Mode.EXCLUSIVE;
    }

    @Override
    public Claim claim(ActiveClaim claimed, Duration lease) {
        return new Claim(
                name,
                claimed.id(),
                mode(),
                lease,
                claimed.storedHolds(),
                claimed.owner,
                claimed.policy,
                claimed.permits(),
                options(claimed));
    }

    /** Most claims ask for one token and nothing else, and these share their options. */
    private ClaimOptions options(ActiveClaim claimed) {
        boolean revocable = claimed.terms.lingers();
        boolean grantOnRelease = claimed.policy.queues() && engine.grantsOnRelease();
        return revocable || grantOnRelease
                ? new ClaimOptions(claimed.tokens, 1, null, revocable, 0, grantOnRelease)
                : ClaimOptions.tokens(claimed.tokens);
    }

    /** The local hold of the plain lock. */
    @Override
    public @Nullable Hold hold() {
        return hold;
    }

    /** The acquisition of the plain lock, if one is under way. */
    public @Nullable Acquisition acquisition() {
        return acquisition;
    }

    /** How the claim of the plain lock is kept, or was since it was granted. */
    public @Nullable KeptClaim kept() {
        return kept;
    }

    /** What the owner of that id holds here in that mode. */
    @Nullable
    public Hold ownedBy(Mode mode, long ownerId) {
        Hold plain = hold;
        return mode == Mode.EXCLUSIVE && plain != null && plain.isOwnedBy(ownerId)
                ? plain
                : queuedClaims.ownedBy(mode, ownerId);
    }

    /** Takes a kept claim for the current thread; {@code null} if that can't be done at once. */
    @Nullable
    public Hold tryTakeUp(LeaseTerms terms) {
        KeptClaim its = kept;
        if (its == null || !its.isFree()) {
            return null;
        }
        Object context = engine.listeners().isEmpty()
                ? null
                : engine.listeners().requested(new LockEvent.Requested(name, mode(), 1));
        if (!tryEnter()) {
            return null;
        }
        try {
            Granted.Path path = its.path();
            Hold given = its.tryTake(LockOwner.ofCurrentThread(), terms, true);
            if (given != null) {
                taken(given, path, given.begunAt(), context);
                enterAgain(given);
            }
            return given;
        } finally {
            exit();
        }
    }

    @Override
    public boolean tryLeaveForNext(Hold released) {
        if (!tryEnter()) {
            return false;
        }
        try {
            return released == verifyHold() && tryKeep(released);
        } finally {
            exit();
        }
    }

    /** The waiter was called, and is awake. */
    public void wokeUp(Waiter waiter) {
        strand(() -> wakesUp(waiter));
    }

    public void enqueue(Waiter waiter) {
        strand(() -> arrived(waiter));
    }

    /** The waiter has been decided by its caller; {@code known} is completed when the store knows that it has left. */
    public void withdraw(Waiter waiter, CompletableFuture<Void> known) {
        strand(() -> left(waiter).whenComplete((left, failure) -> known.complete(null)));
    }

    /** Shows what is held and waited for here. */
    public void show(Look look) {
        look.asks();
        strand(() -> {
            try {
                Hold plain = hold;
                KeptClaim its = kept;
                if (plain != null) {
                    look.add(plain.toLocal(look));
                } else if (its != null && its.isFree()) {
                    look.add(its.toLocal(look));
                }
                int position = waiters.show(look);
                for (QueuedClaim queuedClaim : queuedClaims.copy()) {
                    Hold held = queuedClaim.lastHold();
                    if (held != null) {
                        look.add(held.toLocal(look));
                    } else if (queuedClaim.isAsking()) {
                        look.add(queuedClaim.waiter().toLocal(look, position++));
                    }
                }
            } finally {
                look.answered();
            }
        });
    }

    /** The lock may have become free. */
    public void changed() {
        strand(() -> {
            if (acquisition != null) {
                acquisition.changed();
            }
            if (!engine.capabilities().canQueue()) { // otherwise they are notified when their turn has come
                queuedClaims.copy().forEach(QueuedClaim::changed);
            }
        });
    }

    /** The store may have lost what is held here, so it is asked. */
    public void verifyHeld() {
        strand(() -> {
            KeptClaim its = kept;
            if (hold != null) {
                engine.watchdog().verify(hold.activeClaim);
            } else if (its != null && its.isFree()) {
                engine.renewals().renew(its.claim);
            }
            for (QueuedClaim queuedClaim : queuedClaims.copy()) {
                if (queuedClaim.lastHold() != null) {
                    engine.watchdog().verify(queuedClaim.activeClaim());
                }
            }
        });
    }

    /**
     * This client has the store end what holds, so its loss is no surprise.
     *
     * @param token empty for all that hold; otherwise the one whose grant began with it
     * @param forced false if the store did not end it
     */
    public void forced(OptionalLong token, boolean forced) {
        strand(() -> {
            if (hold != null) {
                hold.activeClaim.forced(token, forced);
            }
            queuedClaims.copy().forEach(queuedClaim -> queuedClaim.activeClaim().forced(token, forced));
        });
    }

    @Override
    public void release(Hold released, CompletableFuture<Void> done) {
        strand(() -> giveBack(released, done));
    }

    @Override
    public void strand(Runnable step) {
        execute(step);
    }

    /** The client is closing: no caller gets anything any more. */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        strand(() -> {
            waiters.failAll(engine.closedException());
            queuedClaims.copy().forEach(QueuedClaim::close);
            closePlain();
            closed.complete(null);
        });
        return closed;
    }

    // ---- coming and going -------------------------------------------------------------------------------------

    private void arrived(Waiter waiter) {
        if (retired) {
            engine.enqueue(waiter); // this queue was cleared away in between; the next one serves
            return;
        }
        admitting = true;
        try {
            admit(waiter);
        } finally {
            admitting = false;
        }
        settle();
    }

    private void admit(Waiter waiter) {
        Hold current = verifyHold();
        if (engine.isClosed()) {
            waiter.result.completeExceptionally(engine.closedException());
        }
        if (waiter.decided() // by its caller, which left before it got here
                || waiter.tryEnter(verifyOwnHold(waiter, waiter.request.mode()))
                || tryRefuseUpgrade(waiter)) {
            return;
        }
        boolean mayEnter = current != null && current.isOwnedBy(waiter.owner) && waiter.request.reentrant();
        if (current != null && !mayEnter && waiter.nonBlocking()) {
            waiter.result.complete(null);
            return;
        }
        KeptClaim its = kept;
        if (its != null && its.isFree() && tryServe(waiter, its)) {
            return;
        }
        if (!waiter.request.isPlain()) {
            addQueuedClaim(waiter);
            return;
        }
        add(waiter);
    }

    /** Gives the kept claim to a waiter that has just come, or to the one that was called, or back to the store. */
    private boolean tryServe(Waiter waiter, KeptClaim its) {
        if (waiter.request.isPlain()) {
            return its.tryServe(waiter);
        }
        boolean offered = its.isOffered();
        its.endOffer();
        its.giveBack();
        // The waiter that was called may have the same owner.
        return offered && waiter.tryEnter(verifyOwnHold(waiter, waiter.request.mode()));
    }

    /** Refuses a reader that asks for the write lock: it would wait for itself. */
    private boolean tryRefuseUpgrade(Waiter waiter) {
        return waiter.request.mode() == Mode.EXCLUSIVE && waiter.tryRefuseUpgrade(verifyOwnHold(waiter, Mode.SHARED));
    }

    private void addQueuedClaim(Waiter waiter) {
        Hold writer = waiter.request.mode() == Mode.SHARED ? verifyOwnHold(waiter, Mode.EXCLUSIVE) : null;
        if (writer != null) {
            writer.activeClaim.share();
        }
        queuedClaims = queuedClaims == QueuedClaims.NONE ? new QueuedClaims() : queuedClaims;
        QueuedClaim queuedClaim =
                new QueuedClaim(engine, this, waiter, writer == null ? null : writer.activeClaim.id());
        waiter.queuedClaim = queuedClaim;
        queuedClaims.add(queuedClaim);
        queuedClaim.begin();
    }

    /** What the waiter's owner holds in that mode; a hold whose time is over is lost. */
    private @Nullable Hold verifyOwnHold(Waiter waiter, Mode mode) {
        Hold held = waiter.owner.isHandle() ? null : ownedBy(mode, waiter.owner.id());
        return held == null ? null : held.activeClaim.holder.verifyHold();
    }

    /** Completes when the store knows that it has left. */
    private CompletableFuture<Void> left(Waiter waiter) {
        return waiter.queuedClaim != null ? waiter.queuedClaim.leave() : remove(waiter);
    }

    @Override
    void enterAgain(Hold given) {
        boolean exclusive = given.activeClaim.mode() == Mode.EXCLUSIVE;
        for (Waiter same : exclusive ? waiters.askedAgain(given) : List.<Waiter>of()) {
            if (same.tryEnter(given)) {
                waiters.remove(same);
            }
        }
        for (QueuedClaim same : queuedClaims.askedAgain(given)) {
            Waiter waiter = same.waiter();
            if (waiter.tryEnter(verifyOwnHold(waiter, waiter.request.mode()))) {
                same.leave();
            }
        }
        offerOn(); // the waiter that was called may be one of them
    }

    // ---- waiters with a claim of their own --------------------------------------------------------------------

    public QueuedClaims queuedClaims() {
        return queuedClaims;
    }

    /** The bid is over. */
    void left(QueuedClaim queuedClaim) {
        queuedClaims.remove(queuedClaim);
        settle();
    }

    @Override
    boolean hasNoQueuedClaims() {
        return queuedClaims.isEmpty();
    }

    @Override
    void idle() {
        if (queuedClaims.isEmpty() && !admitting && !retired) {
            retired = true;
            engine.retire(this);
        }
    }
}
