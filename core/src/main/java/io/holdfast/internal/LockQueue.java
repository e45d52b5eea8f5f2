package io.holdfast.internal;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.Turn;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those of this client who want one name. For those who want a plain lock, in the order in which they came, one claim
 * speaks at the store; everybody else has a {@link Bid} of its own.
 *
 * <p><b>How it works.</b> Everything happens on a {@link Strand}, so each step runs alone; steps that come from outside
 * are at the edge, below. {@link Asking} gets the claim, {@link Keeper} keeps it, {@link Releaser} gives it back; what is
 * left to this class is whose turn it is.
 *
 * <pre>
 *   IDLE ──someone comes──▶ ASKING ──granted──▶ HELD ──unlock──▶ HELD by the next one here (hand-off)
 *                             ▲ ▲                 └──unlock──▶ RELEASING ──▶ IDLE when nobody waits
 *                             │ └───────────────────────────────┤
 *                             └────── COURTESY ◀── others wait ─┘
 *
 *   HELD ──unlock──▶ LINGERING ──someone comes──▶ HELD          (where the options say so, and nobody waits)
 *                        └──time is over, others ask──▶ RELEASING
 *
 *   HELD ──unlock──▶ OFFERED ──the next one is awake──▶ HELD    (after a brief hold)
 *                        └──someone comes before that──▶ HELD
 * </pre>
 *
 * <p>Waking a thread takes longer than a brief hold. So the lock does not stand idle while the next one wakes up: it is
 * there for any thread of this client that comes along. Once the next one is awake, nobody goes before it any more.
 *
 * <p>A lock that has just passed between threads here lingers, too, for 50 µs; whoever left last waits for the end of that.
 *
 * <p>Without contention a lock is one command and an unlock another. A claim that finds somebody else there leaves nothing at
 * the store. Whoever waits then asks with another: on stores that grant by a call it takes a place in the queue, and
 * otherwise it leaves nothing either and watches the name.
 */
final class LockQueue extends Strand implements Asking.Asker, Holder {

    /** How many holders of one client may follow each other without asking the store, and for how long. */
    private static final int HAND_OFFS = 256;

    private static final long HAND_OFF_NANOS = 20_000_000;

    /** For how many that come while a lone caller waits the grant brings tokens. */
    private static final int LATECOMERS = 16;

    /**
     * A lock that is taken up again and again is given back after this long nevertheless, or after its time to linger if
     * that is longer: others may wait whose asking is not heard here.
     */
    private static final long SHORTEST_RUN_NANOS = 1_000_000_000;

    /** A hold of less than this is over before another thread has been woken. */
    private static final long BRIEF_NANOS = 50_000;

    /** How long a client that has had its turn lets the others go first. */
    private static final long COURTESY_NANOS = 2_000_000;

    private enum Phase {
        /** Nothing is asked for and nobody waits. */
        IDLE,
        /** Those who wait are asking the store. */
        ASKING,
        /** Someone here holds the lock. */
        HELD,
        /** The claim is being given back while others here wait; they ask when it is, or at the timer. */
        RELEASING,
        /** Others go first; ask at the timer. */
        COURTESY,
        /** Nobody needs the claim, and it is kept for whoever comes next here, until the timer. */
        LINGERING,
        /** The first of those who wait was called and is waking up; whoever comes before it may have the lock. */
        OFFERED
    }

    private final Engine engine;
    private final Kind kind;
    private final String name;
    private volatile Bids bids = Bids.NONE;
    private Waiters waiters = Waiters.NONE;

    /** Made when a phase first has an end: while the lock is held there is none. */
    private @Nullable Timer timer;

    private Phase phase = Phase.IDLE;
    private boolean retired;

    /** Whether somebody is just coming: an end that is noticed on the way must not clear the queue away under it. */
    private boolean admitting;

    private @Nullable Asking asking;
    private volatile @Nullable Hold hold;

    /** The claim that nobody has, while it lingers or is offered. */
    private volatile @Nullable RemoteClaim lingering;

    /** How it lingers, or has before, since it was granted. */
    private @Nullable Stay stay;

    /** Whether others were promised the next turn, so that whoever comes here waits a moment. */
    private boolean owesTurn;

    LockQueue(Engine engine, Kind kind, String name) {
        this.engine = engine;
        this.kind = kind;
        this.name = name;
    }

    // ---- the edge: called from anywhere -----------------------------------------------------------------------

    Kind kind() {
        return kind;
    }

    @Override
    public Engine engine() {
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
    public Claim claim(RemoteClaim claimed, Duration lease) {
        return new Claim(
                name,
                claimed.id(),
                mode(),
                lease,
                claimed.storedHolds,
                claimed.tokens,
                claimed.owner,
                claimed.queues ? Turn.BARGES_OR_QUEUES : Turn.BARGES,
                claimed.permits,
                1,
                null,
                claimed.terms.lingers(),
                0,
                claimed.queues);
    }

    /** Who holds the plain lock here. */
    @Override
    public @Nullable Hold hold() {
        return hold;
    }

    /** What the owner of that id holds here in that mode. */
    @Nullable
    Hold ownedBy(Mode mode, long ownerId) {
        Hold plain = hold;
        return mode == Mode.EXCLUSIVE && plain != null && plain.isOwnedBy(ownerId)
                ? plain
                : bids.ownedBy(mode, ownerId);
    }

    /** Takes up what lingers or is offered here, for the current thread; {@code null} if that can't be done at once. */
    @Nullable
    Hold takeUp(Terms terms) {
        if (lingering == null || !tryEnter()) {
            return null;
        }
        try {
            Hold given = takeUp(LockOwner.ofCurrentThread(), terms, true);
            if (given != null) {
                taken(given, given.begunAt());
                enterAgain(given);
            }
            return given;
        } finally {
            exit();
        }
    }

    @Override
    public boolean leaveForNext(Hold released) {
        if (!tryEnter()) {
            return false;
        }
        try {
            return released == currentHold() && isLeftForNext(released);
        } finally {
            exit();
        }
    }

    /** The waiter was called, and is awake. */
    void came(Waiter waiter) {
        strand(() -> isAwake(waiter));
    }

    void enqueue(Waiter waiter) {
        strand(() -> arrived(waiter));
    }

    /** The waiter has been decided by its caller; {@code known} is completed when the store knows that it has left. */
    void withdraw(Waiter waiter, CompletableFuture<Void> known) {
        strand(() -> left(waiter).whenComplete((left, failure) -> known.complete(null)));
    }

    /** The lock may have become free. */
    void changed() {
        strand(() -> {
            if (asking != null) {
                asking.changed();
            }
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

    /** The client is closing: nobody gets anything any more. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        strand(() -> {
            waiters.failAll(engine.closedException());
            bids.copy().forEach(Bid::close);
            Hold current = hold;
            if (current != null) {
                lose(current, engine.whyClosed());
            }
            stopAsking();
            stopLingering();
            owesTurn = false;
            settle();
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
        Hold current = currentHold();
        if (engine.isClosed()) {
            waiter.result.completeExceptionally(engine.closedException());
        }
        if (waiter.decided()) { // by its caller, who left before it got here
            return;
        }
        if (entered(waiter) || wouldWaitForItself(waiter)) {
            return;
        }
        if (current != null && !current.isOwnedBy(waiter.owner) && waiter.impatient()) {
            waiter.result.complete(null);
            return;
        }
        if (phase == Phase.LINGERING && tookUp(waiter)) {
            return;
        }
        if (phase == Phase.OFFERED && wentFirst(waiter)) {
            return;
        }
        if (!waiter.demand.isPlain()) {
            bid(waiter);
            return;
        }
        waiter.firstAttempt = asking == null ? 0 : asking.nextAttempt();
        waiters = waiters == Waiters.NONE ? new Waiters() : waiters;
        waiters.add(waiter, () -> strand(() -> timedOut(waiter)));
        if (phase == Phase.HELD || phase == Phase.OFFERED) {
            waiter.announce();
        } else if (phase == Phase.IDLE) {
            ask();
        } else if (asking != null && waiter.impatient()) {
            asking.hurry();
        }
    }

    /** Whether its owner has it already, and could enter once more. */
    private boolean entered(Waiter waiter) {
        Hold own = heldBy(waiter.owner, waiter.demand.mode());
        if (own == null || !own.reserve(waiter.terms)) {
            return false;
        }
        if (!waiter.result.complete(own)) {
            own.cancel();
        }
        return true;
    }

    /** A reader who asks for the write lock would wait for itself, so it is refused. */
    private boolean wouldWaitForItself(Waiter waiter) {
        Hold read = waiter.demand.mode() == Mode.EXCLUSIVE ? heldBy(waiter.owner, Mode.SHARED) : null;
        if (read == null || read.count() == 0) { // one that is only reserved may be of a caller that has left
            return false;
        }
        if (waiter.impatient()) {
            waiter.result.complete(null);
        } else {
            waiter.result.completeExceptionally(new HoldfastException(
                    Label.of(kind, name) + " is held for reading by the same owner, which would wait for itself;"
                            + " give the read lock back before asking for the write lock",
                    false));
        }
        return true;
    }

    private void bid(Waiter waiter) {
        Hold writer = waiter.demand.mode() == Mode.SHARED ? heldBy(waiter.owner, Mode.EXCLUSIVE) : null;
        if (writer != null) {
            writer.remote.share();
        }
        bids = bids == Bids.NONE ? new Bids() : bids;
        Bid bid = new Bid(engine, this, waiter, writer == null ? null : writer.remote.id());
        waiter.bid = bid;
        bids.add(bid);
        bid.begin();
    }

    /** What the owner has in that mode, unless its time is over, which is then told. */
    private @Nullable Hold heldBy(LockOwner owner, Mode mode) {
        Hold held = owner.isHandle() ? null : ownedBy(mode, owner.id());
        return held == null ? null : held.remote.holder.currentHold();
    }

    private void timedOut(Waiter waiter) {
        if (waiters.timeIsUp(waiter, asking)) {
            waiter.hadNot(left(waiter));
        }
    }

    /** Completes when the store knows that it has left. */
    private CompletableFuture<?> left(Waiter waiter) {
        if (waiter.bid != null) {
            return waiter.bid.leave();
        }
        if (!waiters.remove(waiter)) {
            return Engine.KNOWN;
        }
        if (phase == Phase.OFFERED) {
            offerOn();
        }
        Asking vain = asking;
        CompletableFuture<Void> known = vain != null && waiters.isEmpty() ? vain.known() : Engine.KNOWN;
        settle();
        return known;
    }

    // ---- those with a claim of their own ----------------------------------------------------------------------

    Bids bids() {
        return bids;
    }

    /** The bid is over. */
    void left(Bid bid) {
        bids.remove(bid);
        settle();
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    private void ask() {
        Waiter head = waiters.peek();
        if (head == null) {
            settle();
        } else {
            ask(head, false);
        }
    }

    /** @param queues whether it takes a place in the store's queue if somebody else is there */
    private void ask(Waiter head, boolean queues) {
        RemoteClaim claim =
                new RemoteClaim(this, engine.owner(head.owner), tokens(head, queues), 1, head.terms, queues);
        asking = new Asking(engine, this::execute, claim, this);
        enter(Phase.ASKING);
        asking.ask();
    }

    /** A lone caller needs one token; where others wait behind it, or may until it is granted, the grant brings theirs along. */
    private int tokens(Waiter head, boolean queues) {
        if (head.terms.lingers() && !queues) { // where others wait, it won't linger
            return engine.reserve().size();
        }
        if (head.terms.watchdog() && waiters.size() > 1) {
            return HAND_OFFS;
        }
        return queues ? LATECOMERS : 1;
    }

    @Override
    public boolean isForHandle() {
        Waiter head = waiters.peek();
        return head != null && head.owner.isHandle();
    }

    @Override
    public boolean watches() {
        return true;
    }

    private void stopAsking() {
        if (asking != null) {
            asking.stop();
            asking = null;
        }
    }

    @Override
    public void granted(RemoteClaim claim, List<Outcome.Next> next) {
        Asking over = asking;
        asking = null;
        stay = null;
        waiters.answered();
        if (claim.terms.lingers()) {
            engine.calls().yields(claim.id(), () -> strand(() -> askedForByOthers(claim)));
        }
        CompletableFuture<Void> known = new CompletableFuture<>();
        if (handTo(claim)) {
            waiters.refuseImpatient(Long.MAX_VALUE).forEach(waiter -> waiter.result.complete(null));
            waiters.announce();
            known.complete(null);
        } else {
            giveBackClaim(claim, null, known);
        }
        if (over != null) {
            over.knownWith(known);
        }
    }

    @Override
    public boolean busy(RemoteClaim claim, long attempt) {
        waiters.answered();
        List<Waiter> refused = waiters.refuseImpatient(attempt);
        Waiter head = waiters.peek();
        CompletableFuture<Void> known = Engine.KNOWN;
        if (head == null) {
            known = asking == null ? known : asking.known();
            stopAsking();
            settle();
        } else if (!head.terms.equals(claim.terms)) {
            stopAsking(); // whoever it was asked for has left
            ask();
        } else if (!claim.queues && !waiters.anyImpatient() && engine.grantsByCall()) {
            stopAsking();
            ask(head, true);
        } else {
            waiters.announce();
        }
        for (Waiter waiter : refused) {
            waiter.hadNot(known);
        }
        return waiters.anyImpatient();
    }

    @Override
    public void refused(Throwable failure) {
        waiters.failAll(failure);
        stopAsking();
        settle();
    }

    @Override
    public long failing(Throwable failure, long since) {
        long now = engine.now();
        long latest = now + engine.timeoutNanos();
        for (Waiter waiter : waiters.copy()) {
            long until = waiter.giveUpAt(since);
            if (until - now <= 0) {
                waiter.result.completeExceptionally(engine.notAskedFor(kind, name, failure));
                waiters.remove(waiter);
            } else if (until - latest < 0) {
                latest = until;
            }
        }
        if (waiters.isEmpty()) {
            stopAsking();
            settle();
        }
        return latest;
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    /** Makes the next one here the holder; false if there is nobody whom this claim suits. */
    private boolean handTo(RemoteClaim granted) {
        while (granted.hasToken()) {
            Waiter next = waiters.peek();
            if (next == null || !next.terms.equals(granted.terms)) {
                return false;
            }
            waiters.remove(next);
            long now = engine.now();
            Hold given = new Hold(granted, next.owner, granted.takeToken(), now);
            hold = given;
            enter(Phase.HELD);
            if (given.acceptedBy(next)) {
                taken(given, next.askedAt);
                enterAgain(given);
                waiters = waiters.isEmpty() ? Waiters.NONE : waiters; // held for long, perhaps, and wanted by nobody
                return true;
            }
            hold = null;
        }
        return false;
    }

    private void taken(Hold given, long askedAt) {
        engine.keeper().goOn(given);
        engine.events().granted(given, given.begunAt() - askedAt);
    }

    /** Lets those in whom the owner had asked for as well before it was answered. */
    void enterAgain(Hold given) {
        boolean exclusive = given.remote.mode() == Mode.EXCLUSIVE;
        for (Waiter same : exclusive ? waiters.askedAgain(given) : List.<Waiter>of()) {
            if (given.reserve(same.terms)) {
                waiters.remove(same);
                if (!same.result.complete(given)) {
                    given.cancel();
                }
            }
        }
        for (Bid same : bids.askedAgain(given)) {
            if (entered(same.waiter())) {
                same.leave();
            }
        }
        if (phase == Phase.OFFERED) {
            offerOn(); // it may be one of them who was called
        }
    }

    private void giveBack(Hold given, CompletableFuture<Void> done) {
        if (given != currentHold()) {
            given.tellHowItEnded(done);
            return;
        }
        if (isLeftForNext(given)) {
            done.complete(null);
            return;
        }
        long now = engine.now();
        ended(given, now);
        boolean mayHandOff = mayHandOff(given.remote, now);
        if (mayHandOff && handTo(given.remote)) {
            done.complete(null);
        } else if (mayHandOff && isBrief(given, now) && given.remote.mayBeWaitedWith() && mayStay(given.remote)) {
            waitForNext(given, done, now);
        } else {
            giveBackClaim(given.remote, given, done);
        }
    }

    private boolean isLeftForNext(Hold given) {
        return waiters.isEmpty() ? mayLinger(given.remote) && lingers(given) : offers(given);
    }

    private static boolean isBrief(Hold given, long now) {
        return now - given.begunAt() < BRIEF_NANOS;
    }

    /**
     * The threads here pass the lock among themselves, and all of them are just outside. Whoever left last waits for a moment
     * with giving the claim back: one of them may be there sooner than the store has answered.
     */
    private void waitForNext(Hold given, CompletableFuture<Void> done, long now) {
        Stay brief = stay == null ? new Stay(now + HAND_OFF_NANOS) : stay;
        brief.waitsWith(given, done);
        brief.armed = false; // for this time, it is not
        keepForNext(given.remote, brief, now + BRIEF_NANOS);
    }

    private void ended(Hold given, long now) {
        given.released();
        hold = null;
        engine.events().released(given, now - given.begunAt());
    }

    private boolean mayHandOff(RemoteClaim held, long now) {
        return held.isWorthHandingOn(now) && !held.isShared() && now - held.grantedAt() < HAND_OFF_NANOS;
    }

    /** Releases a claim that was granted, and lets those who wait here ask again once it is done. */
    private void giveBackClaim(RemoteClaim held, @Nullable Hold given, CompletableFuture<Void> done) {
        engine.keeper().stop(held);
        if (held.terms.lingers()) {
            engine.reserve().ended(held);
        }
        owesTurn = held.isAskedFor() && !engine.isClosed();
        enter(Phase.RELEASING, engine.now() + engine.replyTimeoutNanos());
        held.giveBack(given, done).thenAccept(this::askOnceGivenBack);
        settle();
    }

    private void askOnceGivenBack(@Nullable Release release) {
        if (phase == Phase.RELEASING) {
            if (owesTurn || (release != null && release.contended())) {
                enter(Phase.COURTESY, engine.now() + COURTESY_NANOS);
            } else {
                ask();
            }
        }
    }

    private void timerDue() {
        disarmStay(); // also if it is due while somebody has taken it up: the next to leave arms it again
        if (phase == Phase.LINGERING) {
            lingerOn();
            return;
        }
        // Otherwise it was for an earlier phase and has been moved since.
        if (engine.now() - timerAt() >= 0 && (phase == Phase.RELEASING || phase == Phase.COURTESY)) {
            owesTurn = false;
            ask();
        }
    }

    // ---- offering ---------------------------------------------------------------------------------------------

    /** Whether the next one here sleeps and is waking up now. One token is left for it. */
    private boolean mayOffer(RemoteClaim held) {
        Waiter next = waiters.peek();
        return next != null && held.hasTokens(2) && next.terms.equals(held.terms) && next.isWaking();
    }

    private boolean offers(Hold given) {
        long now = engine.now();
        if (!isBrief(given, now) || !mayHandOff(given.remote, now) || !mayOffer(given.remote)) {
            return false;
        }
        ended(given, now);
        offer(given.remote);
        return true;
    }

    private void offer(RemoteClaim offered) {
        lingering = offered;
        phase = Phase.OFFERED;
    }

    /** The waiter who was called is awake: it is next. */
    private void isAwake(Waiter waiter) {
        waiter.awake = true;
        if (phase == Phase.OFFERED && waiter == waiters.peek()) {
            endOffer();
        }
    }

    /** Whoever was called has left. */
    private void offerOn() {
        RemoteClaim offered = lingering;
        if (offered == null || !mayOffer(offered)) {
            endOffer();
        }
    }

    /** Whether the waiter, who has just come, is answered: mostly it has the lock before the one who is waking up. */
    private boolean wentFirst(Waiter waiter) {
        if (!waiter.demand.isPlain()) {
            endOffer();
            return entered(waiter); // its owner may be the one who was called
        }
        Hold given = takeUp(waiter.owner, waiter.terms, false);
        if (given == null) {
            return waiter.impatient() && waiter.result.complete(null);
        }
        if (given.acceptedBy(waiter)) {
            taken(given, waiter.askedAt);
            enterAgain(given);
        } else {
            hold = null;
            offer(given.remote);
            offerOn();
        }
        return true;
    }

    private void endOffer() {
        RemoteClaim offered = lingering;
        lingering = null;
        if (offered != null && !(mayHandOff(offered, engine.now()) && handTo(offered))) {
            giveBackClaim(offered, null, new CompletableFuture<>());
        }
    }

    // ---- lingering --------------------------------------------------------------------------------------------

    private boolean mayLinger(RemoteClaim held) {
        return held.mayLinger() && mayStay(held);
    }

    private boolean mayStay(RemoteClaim held) {
        return held.hasToken() && waiters.isEmpty() && bids.isEmpty() && !engine.isClosed();
    }

    /**
     * The holder leaves, and the claim stays for whoever comes next here, unless it has done so for long enough. No timer is
     * touched if it stayed before.
     */
    private boolean lingers(Hold given) {
        long now = engine.now();
        long linger = Limits.saturatedNanos(given.remote.terms.linger());
        Stay its = stay;
        if (its == null) {
            its = new Stay(
                    now + (given.remote.mayLingerForLong() ? Math.max(linger, SHORTEST_RUN_NANOS) : COURTESY_NANOS));
        }
        if (now - its.end >= 0) {
            return false;
        }
        ended(given, now);
        keepForNext(given.remote, its, its.end - now < linger ? its.end : now + linger);
        return true;
    }

    private void keepForNext(RemoteClaim kept, Stay its, long until) {
        its.until = until;
        stay = its;
        hold = null;
        lingering = kept;
        phase = Phase.LINGERING;
        if (!its.armed) {
            lingerOn();
        }
    }

    private void lingerOn() {
        RemoteClaim kept = lingering;
        Stay its = stay;
        long now = engine.now();
        long latest = kept == null ? now : latestTakeUp(kept, now);
        if (its == null || now - its.until >= 0 || now - latest >= 0) {
            stopLingering();
        } else {
            its.armed = true;
            arm(latest - its.until < 0 ? latest : its.until);
        }
    }

    private void disarmStay() {
        if (stay != null) {
            stay.armed = false;
        }
    }

    /** Nobody renews what lingers; whoever takes it up needs time to do that. */
    private static long latestTakeUp(RemoteClaim kept, long now) {
        return kept.deadline(now) - kept.setForNanos() / 2;
    }

    /**
     * Makes the owner the holder of what lingers; {@code null} if that does not suit.
     *
     * @param entered whether it has it at once, rather than when it is told
     */
    private @Nullable Hold takeUp(LockOwner owner, Terms terms, boolean entered) {
        RemoteClaim kept = lingering;
        long now = engine.now();
        if (kept == null || !kept.hasToken() || !kept.terms.equals(terms) || now - latestTakeUp(kept, now) >= 0) {
            return null;
        }
        long token = kept.takeToken();
        Hold given = entered ? Hold.entered(kept, owner, token, now) : new Hold(kept, owner, token, now);
        lingering = null;
        hold = given;
        phase = Phase.HELD;
        if (stay != null) {
            stay.takenUp();
        }
        return given;
    }

    /** Gives what lingers to the waiter, or back to the store. */
    private boolean tookUp(Waiter waiter) {
        Hold given = waiter.demand.isPlain() ? takeUp(waiter.owner, waiter.terms, false) : null;
        if (given == null) {
            stopLingering();
            return false;
        }
        if (given.acceptedBy(waiter)) {
            taken(given, waiter.askedAt);
        } else {
            hold = null;
            lingering = given.remote;
            phase = Phase.LINGERING;
            lingerOn();
        }
        return true;
    }

    @Override
    public void renewedUnheld(RemoteClaim kept, boolean held, long deadline) {
        if (lingering == kept && !(held && kept.extend(deadline, engine.now()))) {
            stopLingering();
        }
    }

    private void askedForByOthers(RemoteClaim claim) {
        claim.askedForByOthers();
        if (lingering == claim) {
            stopLingering();
        }
    }

    private void stopLingering() {
        RemoteClaim kept = lingering;
        if (kept != null) {
            lingering = null;
            Hold leaver = stay == null ? null : stay.leaver();
            CompletableFuture<Void> left = stay == null ? new CompletableFuture<>() : stay.left();
            stay = null;
            giveBackClaim(kept, leaver, left);
        }
    }

    // ---- losing -----------------------------------------------------------------------------------------------

    @Override
    public @Nullable Hold currentHold(long now) {
        Hold current = hold;
        if (current != null && !current.isValid(now)) {
            lose(current, current.whyItEnded());
            return null;
        }
        return current;
    }

    /** The next one here asks anew. */
    @Override
    public void lose(Hold held, String reason) {
        engine.lost().remember(held);
        hold = null;
        engine.keeper().lost(held, reason);
        ask();
    }

    // ---- cleaning up ------------------------------------------------------------------------------------------

    /** Where nobody waits for the plain lock and nobody holds it, nothing of it stays; nor does the queue without bids. */
    private void settle() {
        if (!waiters.isEmpty() || hold != null || lingering != null || owesTurn || retired) {
            return;
        }
        if (asking != null && asking.isUnderWay()) {
            return; // the answer decides: a newcomer may still want it, and otherwise it is given back
        }
        stopAsking();
        enter(Phase.IDLE);
        if (bids.isEmpty() && !admitting) {
            retired = true;
            engine.retire(this);
        }
    }

    private void enter(Phase next) {
        phase = next;
        disarmStay();
        if (timer != null) {
            engine.timers().cancel(timer);
        }
    }

    private void enter(Phase next, long until) {
        phase = next;
        disarmStay();
        arm(until);
    }

    private long timerAt() {
        return timer == null ? engine.now() : timer.due;
    }

    private void arm(long until) {
        if (timer == null) {
            timer = new Timer(() -> strand(this::timerDue));
        }
        engine.timers().arm(timer, until);
    }
}
