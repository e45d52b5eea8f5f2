package io.holdfast.internal.claim;

import io.holdfast.HoldfastException;
import io.holdfast.LossReason;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is held: renews it, extends it, and sees to it that its end is told. Each claim has one timer, which is due
 * when the claim is to be renewed next, or asked about again, or has run out; so an answer that never comes delays
 * nothing. While a renewal is under way for the first time, the claims of one batch have one timer. Whatever changes
 * how a claim stands happens on the strand of its queue.
 */
public final class Watchdog {

    private final ClaimContext engine;

    public Watchdog(ClaimContext engine) {
        this.engine = engine;
    }

    /** On the strand: a local owner holds the claim from now on. */
    void start(Hold hold) {
        armFor(hold, engine.now());
        if (isStoredCountWrong(hold)) {
            engine.holdCounts().changed(hold); // the one before had entered more often
        }
    }

    /** On the strand: the claim was handed off. If it is to be renewed in time already, that will do. */
    public void goOn(Hold hold) {
        if (!hold.activeClaim.renewalArmed || isStoredCountWrong(hold)) {
            start(hold);
        }
    }

    /** On the strand: no local owner holds the claim any more. */
    public void stop(ActiveClaim kept) {
        kept.renewalArmed = false;
        engine.timers().cancel(kept);
    }

    /** An owner that is about to leave needs no renewal, so the next one must not rely on there being one. */
    private void armFor(Hold hold, long now) {
        ActiveClaim kept = hold.activeClaim;
        boolean isKept = hold.isKept(); // its owner may be leaving
        kept.renewalArmed = isKept;
        engine.timers().arm(kept, isKept ? nextRenewal(kept, hold, now) : kept.deadline(now));
    }

    /** On the strand: it has ended before it was released, and its owner and the listeners are told. */
    public void lost(Hold hold, LossReason reason, String text) {
        left(hold, reason, text);
        hold.activeClaim.end();
    }

    /** On the strand: the same, without a release. The store keeps the claim until its lease has ended. */
    public void left(Hold hold, LossReason reason, String text) {
        hold.lost(text);
        stop(hold.activeClaim);
        engine.events().lost(hold, reason, text, false);
    }

    /** On the strand: the client is closing, and the hold stays at the store for as long as its lease lasts. */
    public void leaveToExpire(Hold hold) {
        hold.released();
        stop(hold.activeClaim);
        engine.events().released(hold, engine.now());
    }

    /**
     * The claim's timer. Most of the time the claim is renewed as it was before, which needs no step on the strand; then it
     * has no timer until there is an answer, or there is none for too long.
     */
    void due(ActiveClaim kept) {
        long now = engine.now();
        Hold hold = kept.holder.hold();
        if (hold != null
                && hold.activeClaim == kept
                && hold.isKept()
                && hold.isValid(now)
                && kept.isRenewedAsBefore(hold, now)) {
            engine.renewals().renew(kept);
        } else {
            kept.holder.strand(() -> lookAfter(kept));
        }
    }

    /** From anywhere: the claim was renewed without a timer of its own, and there may be no answer. */
    void unanswered(ActiveClaim kept) {
        kept.holder.strand(() -> {
            if (!engine.timers().isArmed(kept)) {
                lookAfter(kept);
            }
        });
    }

    private void lookAfter(ActiveClaim kept) {
        kept.renewalArmed = false;
        long now = engine.now();
        Hold hold = holderOf(kept, now);
        if (hold == null) {
            return;
        }
        if (hold.isKept()) {
            sendRenewal(hold);
            long retry = engine.renewals().nextRetry(now, paceNanos(kept, hold));
            kept.renewalArmed = true;
            kept.retries = true;
            engine.timers().arm(kept, earlier(retry, kept.deadline(now)));
        } else {
            engine.timers().arm(kept, kept.deadline(now));
        }
    }

    /** On the strand: the store may have lost the claim, so it is asked now, also about one that is not kept. */
    public void verify(ActiveClaim kept) {
        Hold hold = holderOf(kept);
        if (hold != null) {
            sendRenewal(hold);
        }
    }

    void keepNow(ActiveClaim kept) {
        engine.timers().arm(kept, engine.now());
    }

    void writeCount(Hold counted) {
        counted.activeClaim.holder.strand(() -> {
            if (holderOf(counted.activeClaim) == counted && isStoredCountWrong(counted)) {
                sendRenewal(counted);
            }
        });
    }

    /** False once the hold count is zero. */
    private static boolean isStoredCountWrong(Hold hold) {
        int count = hold.depth();
        return count > 0 && count != hold.activeClaim.storedHolds;
    }

    private void sendRenewal(Hold hold) {
        ActiveClaim kept = hold.activeClaim;
        Duration lease = hold.leaseToKeep();
        kept.askedFor(lease);
        kept.renewFor(lease);
        kept.storedHolds = Math.max(1, hold.depth());
        engine.renewals().renew(kept);
    }

    /** From anywhere: the store has answered, or failed to. */
    void renewed(ActiveClaim kept, Claim claim, long sentAt, boolean held, @Nullable Throwable failure) {
        if (failure == null) { // otherwise its timer tries again
            kept.holder.strand(() -> answered(kept, claim, sentAt, held));
        }
    }

    private void answered(ActiveClaim kept, Claim claim, long sentAt, boolean held) {
        kept.retries = false;
        long now = engine.now();
        Hold hold = holderOf(kept, now);
        long deadline = LeaseTerms.deadline(sentAt, claim.lease());
        if (hold == null) {
            kept.renewalArmed = false; // set again when the claim is taken up
            if (held) {
                setBy(kept, claim, sentAt, kept.terms.lease());
            }
            kept.holder.renewedUnheld(kept, held, deadline);
        } else if (!held) {
            loseGone(kept, hold);
        } else if (!kept.tryExtend(deadline, now)) {
            kept.holder.lose(hold, LossReason.EXPIRED, hold.whyItEnded());
        } else {
            setBy(kept, claim, sentAt, hold.keptFor());
            armFor(hold, now);
            engine.events().renewed(hold);
        }
    }

    /** The store has said that it does not have the claim. */
    private void loseGone(ActiveClaim kept, Hold hold) {
        if (kept.isForced()) {
            kept.holder.lose(hold, LossReason.FORCED, "this client has ended it by forceUnlock()");
        } else if (engine.wasUnsureSince(kept.setAt)) {
            kept.holder.lose(hold, LossReason.FAILED_OVER, "the store no longer has it after a failover or a restart");
        } else {
            kept.holder.lose(hold, LossReason.GONE, "the store no longer has it");
        }
    }

    /** A caller's extension by less than what the watchdog renews it for does not stand in for a renewal. */
    private static void setBy(ActiveClaim kept, Claim claim, long sentAt, Duration keptFor) {
        if (claim.lease().compareTo(keptFor) >= 0) {
            kept.renewed(sentAt);
        }
    }

    public CompletableFuture<Void> extend(Hold hold, Duration lease) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        ActiveClaim kept = hold.activeClaim;
        kept.holder.strand(() -> {
            if (holderOf(kept) != hold) {
                done.completeExceptionally(
                        hold.isReleased()
                                ? new HoldfastException(
                                        kept.label() + " was given back, so it can't be extended", false)
                                : hold.lossException());
                return;
            }
            kept.askedFor(lease);
            kept.storedHolds = Math.max(1, hold.depth());
            engine.commands()
                    .send(Command.EXTEND, kept.name(), kept.label(), () -> sendExtension(kept, lease))
                    .answer()
                    .whenComplete(
                            (extension, failure) -> kept.holder.strand(() -> extended(hold, extension, failure, done)));
        });
        return done;
    }

    /** What one attempt to extend a lease brought; its lease is counted from its own sending. */
    private record Extension(Claim claim, long sentAt, boolean held) {}

    private CompletionStage<Extension> sendExtension(ActiveClaim kept, Duration lease) {
        Claim claim = kept.claim(lease);
        long sentAt = engine.now();
        return engine.store()
                .renew(List.of(claim))
                .thenApply(statuses -> new Extension(claim, sentAt, statuses.get(claim.id()) == ClaimStatus.HELD));
    }

    private void extended(
            Hold hold, @Nullable Extension extension, @Nullable Throwable failure, CompletableFuture<Void> done) {
        if (extension == null) {
            done.completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
            return;
        }
        answered(hold.activeClaim, extension.claim, extension.sentAt, extension.held);
        if (holderOf(hold.activeClaim) == hold || hold.isReleased()) { // given back meanwhile: nothing was lost
            done.complete(null);
        } else {
            done.completeExceptionally(hold.lossException());
        }
    }

    private @Nullable Hold holderOf(ActiveClaim kept) {
        return holderOf(kept, engine.now());
    }

    private static @Nullable Hold holderOf(ActiveClaim kept, long now) {
        Hold hold = kept.holder.verifyHold(now);
        return hold != null && hold.activeClaim == kept ? hold : null;
    }

    private long nextRenewal(ActiveClaim kept, Hold hold, long now) {
        long due = kept.isGrantedOnRelease()
                ? kept.grantedAt() + Tuning.SHORT_GRANT_NANOS
                : engine.renewals().nextDue(kept.setAt, hold.keptFor().toNanos());
        return earlier(due, kept.deadline(now));
    }

    /** The lease by which it is kept; a shorter one is to be renewed sooner. */
    private static long paceNanos(ActiveClaim kept, Hold hold) {
        return Math.min(hold.keptFor().toNanos(), kept.setForNanos());
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
