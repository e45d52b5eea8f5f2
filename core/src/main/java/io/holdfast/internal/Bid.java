package io.holdfast.internal;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Turn;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One caller's own claim to a name, from asking to its end: a fair lock's, a reader's, or that of somebody who wants
 * permits. The store decides whose turn it is. Where it says with a grant that others of this client come next, a fair lock is
 * handed to them without asking it again, each with a token of its own; their own claims are given up. Everything happens on
 * the strand of the name's {@link LockQueue}.
 */
final class Bid implements Asker, Holder {

    private final Engine engine;
    private final LockQueue queue;
    private final Waiter waiter;
    private final Demand demand;
    /** The claim by which its owner writes already; then it passes those who wait, for they wait for it. */
    private final @Nullable String beside;

    private final RemoteClaim remote;
    private final Asking asking;
    private boolean granted;
    private boolean over;
    private @Nullable Hold hold;

    /** Whose turn it is after this one, by the store's queue; and how many have had it. */
    private List<Outcome.Next> next = List.of();

    private int passed;

    Bid(Engine engine, LockQueue queue, Waiter waiter, @Nullable String beside) {
        this.engine = engine;
        this.queue = queue;
        this.waiter = waiter;
        this.demand = beside == null ? waiter.demand : waiter.demand.barging();
        this.beside = beside;
        Turn turn = demand.turn(!waiter.impatient());
        this.remote =
                new RemoteClaim(this, engine.owner(waiter.owner), tokens(turn), demand.permits(), waiter.terms, turn);
        this.asking = new Asking(engine, queue::strand, remote, this);
    }

    private int tokens(Turn turn) {
        boolean mayHandOn = mode() == Mode.EXCLUSIVE && turn.queues() && waiter.terms.watchdog();
        return mayHandOn ? Tuning.FAIR_HAND_OFF_TOKENS : 1;
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    void begin() {
        waiter.armTimeout(() -> strand(this::timedOut));
        asking.ask();
    }

    RemoteClaim remote() {
        return remote;
    }

    /** The hold, if there is one; its time may be over. */
    @Nullable
    Hold lastHold() {
        return hold;
    }

    Waiter waiter() {
        return waiter;
    }

    boolean isAsking() {
        return !over && !granted;
    }

    boolean isFor(String claimId) {
        return asking.isFor(claimId);
    }

    /** Its caller has left, or has what it wants by now; completes when the store knows. */
    CompletableFuture<Void> leave() {
        if (!isAsking()) {
            return Engine.KNOWN;
        }
        CompletableFuture<Void> known = asking.known();
        asking.stop();
        end();
        return known;
    }

    private void timedOut() {
        if (isAsking() && waiter.tryExpire(asking)) {
            waiter.hadNot(leave());
        }
    }

    @Override
    public Decision busy(RemoteClaim claim, long attempt) {
        waiter.answered = true;
        if (waiter.impatient()) {
            waiter.hadNot(asking.known());
            return Decision.STOP;
        }
        waiter.announce();
        return Decision.WAIT;
    }

    @Override
    public boolean isForHandle() {
        return waiter.owner.isHandle();
    }

    @Override
    public boolean isFirst() {
        return queue.bids().isFirstToAsk(this);
    }

    @Override
    public void refused(Throwable failure) {
        waiter.result.completeExceptionally(failure);
    }

    @Override
    public Decision failing(Throwable failure, long since) {
        if (waiter.giveUpAt(since) - engine.now() > 0) {
            return Decision.WAIT;
        }
        waiter.result.completeExceptionally(engine.notAskedFor(mode().kind(), name(), failure));
        return Decision.STOP;
    }

    @Override
    public long nextGiveUp(long since) {
        return waiter.giveUpAt(since);
    }

    @Override
    public void stopped(Decision why) {
        end();
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Void> granted(RemoteClaim claim, List<Outcome.Next> behind) {
        granted = true;
        next = behind;
        waiter.stopTimeout();
        if (!handTo(waiter) && !handOn()) {
            end();
            claim.giveBack(null, new CompletableFuture<>());
        }
        return Engine.KNOWN;
    }

    /** Makes it the holder; false if it has left. */
    private boolean handTo(Waiter to) {
        Hold given = new Hold(remote, to.owner, remote.takeToken(), engine.now());
        hold = given;
        queue.bids().holds(given);
        if (given.acceptedBy(to)) {
            engine.keeper().goOn(given);
            engine.events().granted(given, given.begunAt() - to.askedAt);
            queue.enterAgain(given);
            return true;
        }
        holdsNoMore(given);
        return false;
    }

    /**
     * Hands the lock to the next one here, if it is its turn; false if it is somebody else's, as far as is known. Who has left
     * is passed over. Who may have lost its place, or wants something else, is not: then the store decides.
     */
    private boolean handOn() {
        while (passed < next.size() && mayHandOn()) {
            Outcome.Next behind = next.get(passed++);
            Bid following = queue.bids().waitingWith(behind.claimId());
            if (following != null) {
                if (!following.mayFollow(this, behind.place())) {
                    passed = next.size();
                    return false;
                }
                following.leave();
                if (handTo(following.waiter)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean mayFollow(Bid before, long place) {
        return demand.equals(before.demand) && waiter.terms.equals(before.remote.terms) && asking.isIn(place);
    }

    private boolean mayHandOn() {
        return remote.hasToken() && !remote.isShared() && remote.isWorthHandingOn(engine.now()) && !engine.isClosed();
    }

    @Override
    public void release(Hold released, CompletableFuture<Void> done) {
        strand(() -> giveBack(released, done));
    }

    private void giveBack(Hold given, CompletableFuture<Void> done) {
        if (given != verifyHold()) {
            given.tellHowItEnded(done);
            return;
        }
        given.released();
        holdsNoMore(given);
        engine.events().released(given, engine.now() - given.begunAt());
        if (handOn()) {
            done.complete(null);
            return;
        }
        engine.keeper().stop(remote);
        end();
        remote.giveBack(given, done);
    }

    @Override
    public @Nullable Hold verifyHold(long now) {
        Hold current = hold;
        if (current != null && !current.isValid(now)) {
            lose(current, current.whyItEnded());
            return null;
        }
        return current;
    }

    @Override
    public void lose(Hold held, String reason) {
        engine.lost().remember(held);
        holdsNoMore(held);
        end();
        engine.keeper().lost(held, reason);
    }

    private void holdsNoMore(Hold held) {
        queue.bids().holdsNoMore(held);
        hold = null;
    }

    // ---- the rest ---------------------------------------------------------------------------------------------

    @Override
    public Engine engine() {
        return engine;
    }

    @Override
    public String name() {
        return waiter.name;
    }

    @Override
    public Mode mode() {
        return demand.mode();
    }

    @Override
    public Claim claim(RemoteClaim claimed, Duration lease) {
        return new Claim(
                name(),
                claimed.id(),
                mode(),
                lease,
                claimed.storedHolds,
                claimed.tokens,
                claimed.owner,
                claimed.turn,
                claimed.permits,
                demand.capacity(),
                beside,
                false,
                0,
                claimed.turn.queues() && mode() == Mode.EXCLUSIVE && engine.grantsByCall());
    }

    @Override
    public void strand(Runnable step) {
        queue.strand(step);
    }

    /** The client is closing. */
    void close() {
        Hold current = hold;
        if (current != null) {
            lose(current, engine.whyClosed());
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
