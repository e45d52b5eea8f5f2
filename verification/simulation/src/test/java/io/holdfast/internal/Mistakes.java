package io.holdfast.internal;

import io.holdfast.StoreRefusedException;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.latch.LatchWait;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.Notification;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * What is woven into the engine to make it wrong. Each is a few instructions at the beginning or the end of one method; see
 * {@link io.holdfast.simulation.Mutant} for which, and for what it breaks.
 */
@SuppressWarnings("UnusedVariable") // what is assigned here is read where it is woven in
public final class Mistakes {

    private Mistakes() {}

    /** The method does nothing, and answers 0, false or null. */
    public static final class Nothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean skip() {
            return true;
        }
    }

    /** The method answers true, whatever it finds. */
    public static final class Yes {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean answer) {
            answer = true;
        }
    }

    /** {@code Term.leftToLead} is more than there is. */
    public static final class LeadsOn {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long left) {
            left += 3_600_000_000_000L;
        }
    }

    /** The method does nothing, and says that the store knows. */
    public static final class NothingKnown {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean skip() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CompletableFuture<Void> known) {
            known = CompletableFuture.completedFuture(null);
        }
    }

    /** The method does nothing, and finds nobody. */
    public static final class Nobody {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean skip() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<Waiter> found) {
            found = List.of();
        }
    }

    /** {@link LeaseTerms#margin} is 0. */
    public static final class NoMargin {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long margin) {
            margin = 0;
        }
    }

    /** {@link ActiveClaim#granted} counts from the answer, not from the sending. */
    public static final class GrantFromTheAnswer {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) long sentAt, @Advice.Argument(3) long now) {
            sentAt = now;
        }
    }

    /** {@code Ticket.is} takes any place for the one that it has. */
    public static final class AnyPlace {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean is) {
            is = true;
        }
    }

    /** {@code Ticket.keptAt} is later than it was. */
    public static final class KeptLater {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long at) {
            at += 1_000_000_000;
        }
    }

    /** {@code Watchdog.answered} takes every answer for a yes. */
    public static final class StoreNotHeard {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 3, readOnly = false) boolean held) {
            held = true;
        }
    }

    /** {@code Watchdog.answered}: a renewal counts before anybody looks whether it is too late. */
    public static final class RenewedFirst {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) ActiveClaim kept,
                @Advice.Argument(1) Claim claim,
                @Advice.Argument(2) long sentAt,
                @Advice.Argument(3) boolean held) {
            if (held) {
                kept.tryExtend(LeaseTerms.deadline(sentAt, claim.lease()), sentAt);
            }
        }
    }

    /** {@link ActiveClaim#tryExtend} does not ask whether the deadline has passed. */
    public static final class Revived {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) long to, @Advice.FieldValue(value = "deadline", readOnly = false) long deadline) {
            deadline = to;
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean live) {
            live = true;
        }
    }

    /** {@link ActiveClaim#takeToken} gives the same one again. */
    public static final class TokenReused {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue(value = "takenTokens", readOnly = false) int takenTokens) {
            takenTokens--;
        }
    }

    /** {@link ActiveClaim#hasToken} is always true. */
    public static final class TokenNotReserved {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean has) {
            has = true;
        }
    }

    /** {@code Acquisition.failed}: what was not answered was not granted. */
    public static final class Certain {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue(value = "uncertain", readOnly = false) boolean uncertain) {
            uncertain = false;
        }
    }

    /** {@code Acquisition.enter(Phase, until)}: who waits relies on being told. */
    public static final class NoRecheck {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) Object phase, @Advice.Argument(value = 1, readOnly = false) long until) {
            if (phase.toString().equals("WAITING")) {
                until += 3_600_000_000_000L;
            }
        }
    }

    /** {@code Releaser.Attempt.failed}: the first failure is final. */
    public static final class GivesUp {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) Throwable failure) {
            failure = new StoreRefusedException("given up", false);
        }
    }

    /** {@code Waiters.peek}: the last one is first. */
    public static final class LastComeFirst {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("last") Waiter last, @Advice.Return(readOnly = false) Waiter head) {
            head = last;
        }
    }

    /** {@code LockQueue.close} leaves everything as it is. */
    public static final class NotClosed {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean skip() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CompletableFuture<Void> closed) {
            closed = CompletableFuture.completedFuture(null);
        }
    }

    /** {@code Acquisition.answered}: a late answer is only looked at if it is a grant. */
    public static final class LatePlaceKept {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("stopped") boolean stopped, @Advice.Argument(2) ClaimResult outcome) {
            return stopped && outcome instanceof ClaimResult.Busy;
        }
    }

    /** {@code Acquisition.looked}: others always come first. */
    public static final class NeverCalled {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) ClaimStatus status) {
            if (status == ClaimStatus.TURN_REACHED) {
                status = ClaimStatus.WAITING;
            }
        }
    }

    /** {@link LockRequest#policy} is that of somebody who passes. */
    public static final class Barges {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) QueuePolicy policy) {
            if (policy == QueuePolicy.QUEUES) {
                policy = QueuePolicy.BARGES_OR_QUEUES;
            }
        }
    }

    /** {@link LockRequest#barging} is as fair as it was. */
    public static final class NotBarging {
        @Advice.OnMethodExit
        static void exit(@Advice.This LockRequest request, @Advice.Return(readOnly = false) LockRequest barging) {
            barging = request;
        }
    }

    /** {@code QueuedClaims.ownedBy} finds whatever the owner has. */
    public static final class AnyMode {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("owned") @Nullable Map<?, Hold> owned,
                @Advice.Argument(1) long owner,
                @Advice.Return(readOnly = false) Hold found) {
            if (owned != null) {
                for (Hold hold : owned.values()) {
                    if (hold.isOwnedBy(owner)) {
                        found = hold;
                    }
                }
            }
        }
    }

    /** {@code QueuedClaim.claim} has the permits that it began with. */
    public static final class PermitsGrowBack {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("request") LockRequest request, @Advice.Return(readOnly = false) Claim claim) {
            claim = claim.withPermits(request.permits());
        }
    }

    /** {@code KeptClaim.latestTake} is in an hour. */
    public static final class NeverTooLate {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(1) long now, @Advice.Return(readOnly = false) long latest) {
            latest = now + 3_600_000_000_000L;
        }
    }

    /** {@code MultiAcquisition.giveBack} only forgets what it had. */
    public static final class Forgets {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("had") List<HeldLease> had) {
            had.clear();
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CompletableFuture<Void> known) {
            known = CompletableFuture.completedFuture(null);
        }
    }

    /** {@code LatchQueue.lookUnlessLooking} looks if nobody has. */
    public static final class LooksOnce {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("looks") long looks) {
            return looks > 0;
        }
    }

    /** {@code LatchQueue.timedOut} says yes. */
    public static final class SaysOpen {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) LatchWait wait) {
            wait.result.complete(true);
        }
    }

    /** {@code PlainQueue.policy}: who does not wait passes those who do. */
    public static final class TriesBarge {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) QueuePolicy policy) {
            if (policy == QueuePolicy.GIVES_WAY) {
                policy = QueuePolicy.BARGES;
            }
        }
    }

    /** {@code ClaimLine.notifyTurns}: it is the turn of all. */
    public static final class CallsEverybody {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("queue") List<LineEntry> queue,
                @Advice.FieldValue("notifications") List<Notification> notifications) {
            for (LineEntry entry : queue) {
                notifications.add(new Notification.TurnReached(entry.claim()));
            }
        }
    }

    /** {@code ClaimLine.ahead}: nobody is. */
    public static final class NobodyAhead {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<Claim> claims) {
            claims = List.of();
        }
    }
}
