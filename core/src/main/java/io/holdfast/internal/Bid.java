package io.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One caller's own claim to a name, from asking to its end: a fair lock's, a reader's, or that of somebody who wants
 * permits. The store decides whose turn it is; nothing is handed on inside the client. Everything happens on the strand of
 * the name's {@link LockQueue}.
 */
final class Bid implements Asking.Asker, Holder {

    private final Engine engine;
    private final LockQueue queue;
    private final Waiter waiter;
    private final RemoteClaim remote;
    private final Asking asking;
    private boolean over;
    private @Nullable Hold hold;

    Bid(Engine engine, LockQueue queue, Waiter waiter, @Nullable String beside) {
        this.engine = engine;
        this.queue = queue;
        this.waiter = waiter;
        this.remote = new RemoteClaim(engine, this, engine.newClaim(waiter, beside), waiter.terms);
        this.asking = new Asking(engine, queue::strand, remote, this);
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    void begin() {
        waiter.armTimeout(() -> strand(this::timedOut));
        asking.ask();
    }

    Waiter waiter() {
        return waiter;
    }

    boolean isAsking() {
        return !over && hold == null;
    }

    /** Its caller has left, or has what it wants by now. */
    void leave() {
        if (isAsking()) {
            asking.stop();
            end();
        }
    }

    private void timedOut() {
        if (isAsking() && waiter.timeIsUp(asking)) {
            leave();
        }
    }

    @Override
    public boolean busy(RemoteClaim claim, long attempt) {
        waiter.answered = true;
        if (waiter.impatient()) {
            waiter.result.complete(null);
            leave();
        } else {
            waiter.announce();
        }
        return false;
    }

    @Override
    public void refused(Throwable failure) {
        waiter.result.completeExceptionally(failure);
        leave();
    }

    @Override
    public long failing(Throwable failure, long since) {
        long until = waiter.giveUpAt(since);
        if (until - engine.now() <= 0) {
            waiter.result.completeExceptionally(engine.notAskedFor(remote.claim.kind(), remote.claim.name(), failure));
            leave();
        }
        return until;
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    @Override
    public void granted(RemoteClaim claim) {
        waiter.stopTimeout();
        Hold given = new Hold(engine, claim, waiter.owner, claim.takeToken(), engine.now());
        hold = given;
        queue.bids().holds(given);
        if (given.acceptedBy(waiter)) {
            engine.keeper().start(given);
            engine.events().granted(given, given.grantedAt - waiter.askedAt);
            queue.enterAgain(given);
        } else {
            holdsNoMore(given);
            claim.giveBack(null, new CompletableFuture<>());
        }
    }

    @Override
    public void release(Hold released, CompletableFuture<Void> done) {
        strand(() -> giveBack(released, done));
    }

    private void giveBack(Hold given, CompletableFuture<Void> done) {
        if (given != currentHold()) {
            given.tellHowItEnded(done);
            return;
        }
        given.released();
        holdsNoMore(given);
        engine.keeper().stop(given.remote);
        engine.events().released(given, engine.now() - given.grantedAt);
        remote.giveBack(given, done);
    }

    @Override
    public @Nullable Hold currentHold() {
        Hold current = hold;
        if (current != null && !current.isValid()) {
            lose(current, current.whyItEnded());
            return null;
        }
        return current;
    }

    @Override
    public void lose(Hold held, String reason) {
        engine.lost().remember(held);
        holdsNoMore(held);
        engine.keeper().lost(held, reason);
    }

    private void holdsNoMore(Hold held) {
        queue.bids().holdsNoMore(held);
        hold = null;
        end();
    }

    // ---- the rest ---------------------------------------------------------------------------------------------

    @Override
    public void strand(Runnable step) {
        queue.strand(step);
    }

    /** The client is closing. */
    void close() {
        Hold current = hold;
        if (current != null) {
            lose(current, "its client was closed");
        } else {
            waiter.result.completeExceptionally(engine.closedException());
            leave();
        }
    }

    private void end() {
        over = true;
        waiter.stopTimeout();
        queue.left(this);
    }
}
