package io.holdfast.internal.claim;

import io.holdfast.LeaseLostException;
import io.holdfast.LossReason;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Timed;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This client's claim to one name at the store, from the first asking to the release. The local holders of a hand-off
 * share it, each with a token of its own.
 */
public final class ActiveClaim extends Timed implements Renewable {

    private static final VarHandle DEADLINE;

    static {
        try {
            DEADLINE = MethodHandles.lookup().findVarHandle(ActiveClaim.class, "deadline", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The value of {@link #deadline} once it was seen to have passed; nothing brings the claim back from there. */
    private static final long PASSED = Long.MIN_VALUE;

    public final Holder holder;
    public final LeaseTerms terms;

    /** The owner that it was first claimed for, as inspection shows it. */
    public final Owner owner;

    /** How many tokens it is asked for with. */
    public final int tokens;

    /** How it stands to other claims that wait. */
    public final QueuePolicy policy;

    private final long number;
    private final long nonce;
    private volatile long deadline = PASSED;
    private long firstToken;
    private int takenTokens;
    private long grantedAt;

    /** How often it was given back, up to twice. */
    private byte ends;

    /** When the command was sent that last set the lease. */
    long setAt;

    /** The longest that the store was ever asked to keep it. */
    private Duration longestLease;

    /** How long the next renewal keeps it. */
    private Duration renewFor;

    /** The hold count that the store was last told. */
    volatile int storedHolds = 1;

    /** How many of the granted permits it still has. */
    private volatile int permits;

    /** True if it is sure to be renewed: armed for that, as a timer, or on its way in a batch that has one. */
    boolean renewalArmed;

    /** Whether it has a timer of its own for the answer to a renewal, and sends it again when that is due. */
    boolean retries;

    private boolean shared;
    private boolean askedFor;
    private boolean lingersBriefly;

    /** Whether this client has asked the store to end it, whoever holds it. */
    private boolean forced;

    /** Whether it was granted by a call, for {@link #leaseOnRelease}, and not renewed since. */
    private boolean grantedOnRelease;

    public ActiveClaim(Holder holder, Owner owner, int tokens, int permits, LeaseTerms terms, QueuePolicy policy) {
        this.holder = holder;
        this.owner = owner;
        this.tokens = tokens;
        this.permits = permits;
        this.terms = terms;
        this.policy = policy;
        this.number = holder.engine().newNumber();
        this.nonce = holder.engine().newNonce();
        this.longestLease = terms.lease();
        this.renewFor = terms.lease();
    }

    ClaimContext engine() {
        return holder.engine();
    }

    /** Greater than that of all earlier claims of this client. */
    long number() {
        return number;
    }

    public String id() {
        return engine().id(number, nonce);
    }

    String name() {
        return holder.name();
    }

    public Mode mode() {
        return holder.mode();
    }

    /** What messages call it. */
    String label() {
        return Messages.label(mode().type(), name());
    }

    /** What the store is told of it now. */
    public Claim claim() {
        return claim(terms.lease());
    }

    Claim claim(Duration lease) {
        return holder.claim(this, lease);
    }

    /** It is to be renewed, or asked about again, or has run out. */
    @Override
    public void due() {
        engine().watchdog().due(this);
    }

    void renewFor(Duration lease) {
        if (!lease.equals(renewFor)) { // a reference that does not change costs the garbage collector nothing
            renewFor = lease;
        }
    }

    @Override
    public Claim toRenew() {
        return claim(renewFor);
    }

    @Override
    public long answerBy(long now) {
        return deadline(now);
    }

    @Override
    public void renewed(Claim claim, long sentAt, @Nullable ClaimStatus status, @Nullable Throwable failure) {
        engine().watchdog().renewed(this, claim, sentAt, status == ClaimStatus.HELD, failure);
    }

    @Override
    public void unanswered() {
        engine().watchdog().unanswered(this);
    }

    @Override
    public void renewalFailed(Throwable failure) {
        engine().events().renewalFailed(this, failure);
    }

    /** Whether a renewal as the last one was will do for the hold, and there is time for another one after it. */
    boolean isRenewedAsBefore(Hold hold, long now) {
        return !grantedOnRelease
                && !retries
                && hold.depth() == storedHolds
                && hold.keptFor().equals(renewFor)
                && deadline(now) - now > renewFor.toNanos() / 3;
    }

    /** The lease that a grant by a call has, from the command that last kept its place. */
    Duration leaseOnRelease() {
        return terms.lease().compareTo(Claim.TICKET) < 0 ? terms.lease() : Claim.TICKET;
    }

    void granted(long token, long sentAt, Duration lease, long now) {
        this.setAt = sentAt;
        this.grantedOnRelease = lease.compareTo(terms.lease()) < 0;
        this.firstToken = token;
        this.grantedAt = now;
        this.deadline = LeaseTerms.deadline(sentAt, lease);
    }

    /** The lease was set for as long as it is kept for, by a command that was sent then. */
    void renewed(long sentAt) {
        if (sentAt - setAt > 0) {
            setAt = sentAt;
            grantedOnRelease = false;
        }
    }

    boolean isGrantedOnRelease() {
        return grantedOnRelease;
    }

    /** For how long {@link #setAt} has set it. */
    public long setForNanos() {
        return (grantedOnRelease ? leaseOnRelease() : terms.lease()).toNanos();
    }

    /** Gives the claim back to the store, whether it has it or not. It is never asked for again. */
    CompletableFuture<ReleaseResult> end() {
        ends = (byte) Math.min(2, ends + 1);
        ClaimContext engine = engine();
        Claim ended = claim();
        if (ended.revocable()) {
            engine.notifications().over(ended.id());
        }
        long ticket = ended.policy().queues() ? Claim.TICKET.toNanos() : 0; // which may outlive a short lease
        return engine.releaser()
                .release(ended, firstToken > 0, engine.now() + Math.max(longestLease.toNanos(), ticket));
    }

    /** {@link #end}, and completes {@code done}; the answer is the store's, or {@code null} if there was none. */
    public CompletableFuture<@Nullable ReleaseResult> giveBack(@Nullable Hold given, CompletableFuture<Void> done) {
        CompletableFuture<@Nullable ReleaseResult> over = new CompletableFuture<>();
        end().whenComplete((release, failure) -> holder.strand(() -> {
            over.complete(release); // first: the caller's next request comes after that
            if (release == null) {
                done.completeExceptionally(failure);
            } else if (release.held() || endedTwice()) {
                done.complete(null);
            } else {
                done.completeExceptionally(goneException());
                if (given != null) {
                    engine().events()
                            .lost(given, LossReason.GONE, "the store no longer had it when it was given back", true);
                }
            }
        }));
        return over;
    }

    private LeaseLostException goneException() {
        return new LeaseLostException(label() + " was lost before it was given back: "
                + engine().store().description() + " no longer had claim " + id()
                + " (forced, evicted, or lost in a restart); another owner may have held it since");
    }

    /** A compatible claim of its owner holds as well: this one can't be handed off. */
    public void share() {
        shared = true;
    }

    /** Another client wants it: it is not kept any longer than it is needed. */
    public void askedForByOthers() {
        askedFor = true;
    }

    /** The same, where it is kept without being needed: elsewhere it makes no difference. */
    void maybeAskedForByOthers() {
        if (terms.lingers()) {
            askedForByOthers();
        }
    }

    public boolean isAskedFor() {
        return askedFor;
    }

    /** Revocation requests may have been missed. */
    void lingersBriefly() {
        lingersBriefly = true;
    }

    public boolean mayLingerForLong() {
        return !lingersBriefly;
    }

    /** True if it may linger for the next local holder. */
    public boolean mayLinger() {
        return terms.lingers() && !askedFor && !shared && !isExtended();
    }

    public boolean isShared() {
        return shared;
    }

    void askedFor(Duration lease) {
        if (lease.compareTo(longestLease) > 0) {
            longestLease = lease;
        }
    }

    /** Whether the store may keep it for longer than its terms say. */
    boolean isExtended() {
        return longestLease.compareTo(terms.lease()) > 0;
    }

    /** True if enough of the lease remains to hand the lock off. */
    public boolean isWorthHandingOn(long now) {
        return terms.watchdog() && !isExtended() && deadline(now) - now > setForNanos() / 3;
    }

    boolean isOver() {
        return ends > 0;
    }

    /** Whether it was given back twice; then the answer to one release may be the work of the other. */
    boolean endedTwice() {
        return ends > 1;
    }

    public boolean hasToken() {
        return hasTokens(1);
    }

    public boolean hasTokens(int number) {
        return tokens - takenTokens >= number;
    }

    /** Whether several here have held it, so that one of them may come back. What lingers by its terms has had its time. */
    public boolean mayBeWaitedWith() {
        return takenTokens > 1 && !terms.lingers();
    }

    /** True if one local owner has had it so far. */
    public boolean isFirstGrant() {
        return takenTokens <= 1;
    }

    /** This client has the store end the claims whose grants began with that token, or all: its loss will be no surprise. */
    public void forced(OptionalLong token, boolean now) {
        if (token.isEmpty() || token.getAsLong() == firstToken) {
            forced = now;
        }
    }

    boolean isForced() {
        return forced;
    }

    public long takeToken() {
        return firstToken + takenTokens++;
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** The hold count that the store was last told. */
    public int storedHolds() {
        return storedHolds;
    }

    /** How many of the granted permits it still has. */
    public int permits() {
        return permits;
    }

    /** Some of its permits are given up; the next renewal tells the store. */
    public void keepPermits(int kept) {
        permits = kept;
    }

    /** The deadline; now, once it has passed. */
    public long deadline(long now) {
        long seen = deadline;
        return seen == PASSED ? now : seen;
    }

    /** True if the deadline was seen to have passed. */
    boolean hasPassed() {
        return deadline == PASSED;
    }

    /** Whether the deadline is still ahead. The first to see that it isn't makes that final. */
    boolean isLive(long now) {
        long seen = deadline;
        while (seen != PASSED) {
            if (seen - now > 0) {
                return true;
            }
            if (DEADLINE.compareAndSet(this, seen, PASSED)) {
                return false;
            }
            seen = deadline;
        }
        return false;
    }

    /** True if the deadline is ahead; unlike {@link #isLive} this makes nothing final. */
    boolean seemsLive(long now) {
        long seen = deadline;
        return seen != PASSED && seen - now > 0;
    }

    /** Moves the deadline, never back, and never once it has passed. */
    public boolean tryExtend(long to, long now) {
        while (isLive(now)) {
            long seen = deadline;
            if (seen == PASSED) {
                return false;
            }
            if (to - seen <= 0 || DEADLINE.compareAndSet(this, seen, to)) {
                return true;
            }
        }
        return false;
    }
}
