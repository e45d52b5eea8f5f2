package io.holdfast.simulation;

import io.holdfast.internal.Mistakes;
import io.holdfast.internal.claim.ClaimMistakes;
import io.holdfast.internal.lock.LockMistakes;
import io.holdfast.internal.queue.QueueMistakes;
import io.holdfast.simulation.Violation.Check;
import java.util.List;
import java.util.Set;

/**
 * An engine with a mistake in it: where, what, and which checks may find it first. No production code knows of them; see
 * {@link MutantLoader}.
 */
@SuppressWarnings("ImmutableEnumChecker") // copies, of what is immutable
enum Mutant {
    NO_MARGIN(
            "a lease is believed in as long as the store keeps it, by a clock that may be slow",
            Set.of(Check.EXCLUSION, Check.TOKENS_RISE),
            new Change("time.LeaseTerms", "margin", Mistakes.NoMargin.class)),
    GRANT_COUNTED_FROM_THE_ANSWER(
            "a lease begins when the answer comes, not when the question was sent",
            Set.of(Check.EXCLUSION, Check.TOKENS_RISE),
            new Change("claim.ActiveClaim", "granted", Mistakes.GrantFromTheAnswer.class)),
    RENEWAL_COUNTED_FROM_THE_ANSWER(
            "the same, for renewals",
            Set.of(Check.EXCLUSION, Check.TOKENS_RISE),
            new Change("claim.Watchdog", "answered", ClaimMistakes.RenewalFromTheAnswer.class)),
    PASSED_LEASE_REVIVED(
            "a late renewal brings back a lease that had ended",
            Set.of(Check.LOSS_TOLD, Check.EXCLUSION, Check.KEPT),
            new Change("claim.ActiveClaim", "tryExtend", Mistakes.Revived.class),
            new Change("claim.Watchdog", "answered", Mistakes.RenewedFirst.class)),
    HAND_OFF_TO_TWO(
            "the lock passes to the next one, and the one before still has it",
            Set.of(Check.EXCLUSION),
            new Change("claim.Hold", "released", Mistakes.Nothing.class)),
    STORE_NOT_HEARD(
            "a renewal that finds the claim gone counts as a renewal",
            Set.of(Check.LOSS_TOLD),
            new Change("claim.Watchdog", "answered", Mistakes.StoreNotHeard.class)),
    TOKEN_REUSED(
            "a hand-off gives the next holder the token of the one before",
            Set.of(Check.TOKENS_RISE),
            new Change("claim.ActiveClaim", "takeToken", Mistakes.TokenReused.class)),
    TOKEN_NOT_RESERVED(
            "a hand-off goes on when the grant's tokens are used up",
            Set.of(Check.TOKENS_RISE),
            new Change("claim.ActiveClaim", "hasToken", Mistakes.TokenNotReserved.class)),
    LOSS_NOT_TOLD(
            "nobody is told of a loss",
            Set.of(Check.LOSS_TOLD),
            new Change("claim.Hold", "lost", Mistakes.Nothing.class)),
    LOSS_TOLD_TWICE(
            "a loss is told twice",
            Set.of(Check.LOSS_TOLD),
            new Change("claim.Hold", "lost", ClaimMistakes.ToldTwice.class)),
    LOSS_FORGOTTEN(
            "who unlocks what it has lost is told that it never had it",
            Set.of(Check.LOSS_TOLD),
            new Change("claim.LostHolds", "remember", Mistakes.Nothing.class)),
    NOT_RENEWED(
            "the watchdog sleeps",
            Set.of(Check.KEPT, Check.COUNTED),
            new Change("claim.Watchdog", "sendRenewal", Mistakes.Nothing.class)),
    LOST_RENEWAL_FORGOTTEN(
            "a renewal whose answer was lost is not sent again",
            Set.of(Check.KEPT, Check.LOSS_TOLD),
            new Change("claim.Watchdog", "unanswered", Mistakes.Nothing.class)),
    WAKE_UP_MISSED(
            "who waits relies on being told, and looks again in an hour",
            Set.of(Check.NO_HANG),
            new Change("claim.Acquisition", "enter/2", Mistakes.NoRecheck.class)),
    TIME_OUT_IGNORED(
            "a wait does not end when its time is over",
            Set.of(Check.NO_HANG),
            new Change("queue.PlainQueue", "timedOut", Mistakes.Nothing.class)),
    IMPATIENT_KEPT_WAITING(
            "tryLock() waits",
            Set.of(Check.NO_HANG),
            new Change("queue.Waiters", "refuseNonBlocking", Mistakes.Nobody.class)),
    ASKED_AGAIN_NOT_SERVED(
            "an owner that asks twice waits for itself",
            Set.of(Check.NO_HANG, Check.LOSS_TOLD),
            new Change("queue.LockQueue", "enterAgain", Mistakes.Nothing.class)),
    CLOSE_FORGETS(
            "close() leaves the waiting waiting",
            Set.of(Check.NO_HANG, Check.NOTHING_LEAKED),
            new Change("queue.LockQueue", "close", Mistakes.NotClosed.class)),
    LATE_GRANT_KEPT(
            "a grant that comes after its caller has left stays",
            Set.of(Check.NOTHING_LEAKED),
            new Change("claim.Acquisition", "giveBackLate", Mistakes.Nothing.class)),
    UNCERTAIN_TAKEN_FOR_CERTAIN(
            "what was not answered is taken for not granted",
            Set.of(Check.NOTHING_LEAKED),
            new Change("claim.Acquisition", "failed", Mistakes.Certain.class)),
    RELEASE_NOT_REPEATED(
            "a release that fails once is given up",
            Set.of(Check.NOTHING_LEAKED, Check.HONEST),
            new Change("claim.Releaser$Attempt", "failed", Mistakes.GivesUp.class)),
    WITHDRAWAL_IGNORED(
            "who cancels stays in the queue",
            Set.of(Check.NOTHING_LEAKED, Check.FIFO, Check.LISTENED),
            new Change("queue.LockQueue", "withdraw", Mistakes.Nothing.class)),
    GRANT_NOT_UNDONE(
            "who cancels at the moment of the grant holds the lock for ever",
            Set.of(Check.NOTHING_LEAKED, Check.NO_HANG, Check.COUNTED),
            new Change("engine.Engine", "undo", Mistakes.NothingKnown.class)),
    WATCH_NEVER_CLOSED(
            "a watch stays when nobody needs it",
            Set.of(Check.NOTHING_LEAKED),
            new Change("store.Watches", "sweep", Mistakes.Nothing.class)),
    COUNT_NOT_WRITTEN(
            "the store is not told of re-entry",
            Set.of(Check.COUNTED),
            new Change("claim.HoldCounts", "changed", Mistakes.Nothing.class)),
    LAST_COME_FIRST_SERVED(
            "the queue is a stack",
            Set.of(Check.FIFO),
            new Change("queue.Waiters", "peek", Mistakes.LastComeFirst.class)),
    AWAKE_AND_PASSED(
            "others go before the next one though it is awake",
            Set.of(Check.FIFO, Check.NO_HANG),
            new Change("queue.PlainQueue", "wakesUp", QueueMistakes.NotAwake.class)),
    AWAKE_AND_FORGOTTEN(
            "the next one is awake, and nobody gives it the lock that is free",
            Set.of(Check.NO_HANG, Check.FIFO),
            new Change("queue.PlainQueue", "wakesUp", Mistakes.Nothing.class)),
    OFFERED_TO_NOBODY(
            "who was called leaves, and those behind it are not called",
            Set.of(Check.NO_HANG, Check.NOTHING_LEAKED, Check.FIFO),
            new Change("queue.KeptClaim", "offerOn", Mistakes.Nothing.class)),
    LINGERS_WHATEVER_OTHERS_ASK(
            "who keeps a lock that it does not need does not hear that others ask",
            Set.of(Check.NO_HANG),
            new Change("queue.PlainQueue", "revocationRequested", Mistakes.Nothing.class)),
    LINGERS_FOR_EVER(
            "the time to linger does not end",
            Set.of(Check.NOTHING_LEAKED),
            new Change("queue.KeptClaim", "giveBackOrArm", Mistakes.Nothing.class)),
    TAKEN_UP_WHEN_OVER(
            "what lingers is taken up whether its lease has ended or not",
            Set.of(Check.EXCLUSION, Check.LOSS_TOLD, Check.KEPT, Check.TOKENS_RISE),
            new Change("queue.KeptClaim", "latestTake", Mistakes.NeverTooLate.class)),
    BID_NOT_LEFT(
            "who times out goes on waiting in the store's queue",
            Set.of(Check.NOTHING_LEAKED, Check.LOSS_TOLD, Check.LISTENED),
            new Change("queue.QueuedClaim", "leave", Mistakes.NothingKnown.class)),
    PLACE_NOT_GIVEN_BACK(
            "who leaves the queue leaves its place there",
            Set.of(Check.NOTHING_LEAKED),
            new Change("claim.Acquisition", "busy", Mistakes.Certain.class)),
    LATE_PLACE_KEPT(
            "a place that is had after its caller has left stays",
            Set.of(Check.NOTHING_LEAKED),
            new Change("claim.Acquisition", "answered", Mistakes.LatePlaceKept.class)),
    PLACE_NOT_KEPT(
            "who waits does not look after its place",
            Set.of(Check.KEPT, Check.NO_HANG),
            new Change("claim.Acquisition", "look", Mistakes.Nothing.class)),
    CALL_NOT_HEARD(
            "whose turn it is does not come",
            Set.of(Check.NO_HANG),
            new Change("claim.Notifications", "turnReached", Mistakes.Nothing.class),
            new Change("claim.Notifications", "resync", Mistakes.Nothing.class),
            new Change("claim.Acquisition", "looked", Mistakes.NeverCalled.class)),
    LATE_CALL_BELIEVED(
            "a grant by a call counts whichever place it was for",
            Set.of(Check.EXCLUSION, Check.TOKENS_RISE, Check.LOSS_TOLD, Check.FIFO),
            new Change("claim.Ticket", "is", Mistakes.AnyPlace.class)),
    CALL_COUNTED_FROM_LATER(
            "a grant by a call lasts longer than its place did",
            Set.of(Check.EXCLUSION, Check.TOKENS_RISE),
            new Change("claim.Ticket", "keptAt", Mistakes.KeptLater.class)),
    FAIR_BARGES(
            "a fair claim passes those who wait",
            Set.of(Check.FIFO),
            new Change("queue.LockRequest", "policy", Mistakes.Barges.class)),
    WRITER_HANDED_ON_BESIDE_READER(
            "a writer that reads as well hands the write lock on",
            Set.of(Check.EXCLUSION, Check.TOKENS_RISE),
            new Change("claim.ActiveClaim", "share", Mistakes.Nothing.class)),
    WRITER_QUEUES_TO_READ(
            "a writer that wants to read as well waits behind those who wait for it",
            Set.of(Check.NO_HANG, Check.FIFO),
            new Change("queue.LockRequest", "barging", Mistakes.NotBarging.class)),
    UPGRADE_NOT_REFUSED(
            "a reader that wants to write waits for itself",
            Set.of(Check.NO_HANG),
            new Change("queue.Waiter", "tryRefuseUpgrade", Mistakes.Nothing.class)),
    ENTERED_IN_ANOTHER_MODE(
            "a reader that wants to write is told that it does",
            Set.of(Check.EXCLUSION),
            new Change("queue.QueuedClaims", "ownedBy", Mistakes.AnyMode.class)),
    PERMITS_NOT_GIVEN_BACK(
            "who gives back some of its permits gives back none",
            Set.of(Check.NOTHING_LEAKED),
            new Change("queue.QueuedClaim", "claim", Mistakes.PermitsGrowBack.class)),
    PARTS_KEPT(
            "who does not get all of several locks keeps those that it got",
            Set.of(Check.NOTHING_LEAKED, Check.NO_HANG),
            new Change("lock.MultiAcquisition", "giveBack", Mistakes.Forgets.class)),
    PART_TAKEN_FOR_THE_WHOLE(
            "who takes one of two locks twice believes that it has both",
            Set.of(Check.EXCLUSION),
            new Change("lock.MultiAcquisition", "<init>", LockMistakes.FirstInsteadOfAll.class)),
    LOCKS_IN_NO_ORDER(
            "some take several locks in the order of their names, some in another",
            Set.of(Check.NO_HANG),
            new Change("lock.MultiAcquisition", "<init>", LockMistakes.Backwards.class)),
    RIVALS_TAKE_PARTS(
            "callers that don't wait for several locks ask for all at once before they ask for one after the other",
            Set.of(Check.NO_HANG),
            new Change("lock.MultiAcquisition", "asksInOrder", Mistakes.Nothing.class)),
    LATCH_LOOKED_AT_ONCE(
            "who waits for a latch looks once",
            Set.of(Check.NO_HANG, Check.HONEST),
            new Change("latch.LatchQueue", "lookUnlessLooking", Mistakes.LooksOnce.class)),
    LATCH_OPEN_IN_TIME(
            "who has waited long enough for a latch is told that it is open",
            Set.of(Check.HONEST),
            new Change("latch.LatchQueue", "timedOut", Mistakes.SaysOpen.class)),
    LATCH_WAIT_WITHOUT_END(
            "a wait for a latch does not end when its time is over",
            Set.of(Check.NO_HANG),
            new Change("latch.LatchQueue", "timedOut", Mistakes.Nothing.class)),
    REVOKED_AFTER_THE_DEADLINE(
            "a candidate is revoked when its leadership has ended",
            Set.of(Check.LOSS_TOLD),
            new Change("election.Term", "leftToLead", Mistakes.LeadsOn.class)),
    RESIGNED_BEFORE_THE_CALLBACK_ENDS(
            "a leadership is given back while the candidate is still stopping",
            Set.of(Check.EXCLUSION),
            new Change("election.Term", "hasStopped", Mistakes.Yes.class)),
    LOST_GRANT_LEADS(
            "a candidate is told that it leads, whatever has happened since it won",
            Set.of(Check.HONEST, Check.NO_HANG, Check.LOSS_TOLD),
            new Change("election.Term", "mayLead", Mistakes.Yes.class)),
    BARGES_WITHOUT_BOUND(
            "a client that has just had its turn passes those that wait, again and again",
            Set.of(Check.NO_STARVATION),
            new Change("queue.ContendedNames", "contains", Mistakes.Nothing.class)),
    TRIES_WITHOUT_BOUND(
            "the same, for a client that does not wait",
            Set.of(Check.NO_STARVATION),
            new Change("queue.PlainQueue", "policy", Mistakes.TriesBarge.class)),
    STORE_CALLS_EVERYBODY(
            "not the engine's: the store notifies every waiter instead of the one whose turn it is",
            Set.of(Check.COST),
            new Change("spi.support.ClaimLine", "notifyTurns", Mistakes.CallsEverybody.class)),
    STORE_FORGETS_THE_QUEUE(
            "not the engine's: the store grants without looking who came first",
            Set.of(Check.FIFO),
            new Change("spi.support.ClaimLine", "ahead", Mistakes.NobodyAhead.class)),
    STORE_MISCOUNTS(
            "not the engine's: the store grants permits that are out",
            Set.of(Check.EXCLUSION),
            new Change("spi.ClaimRule", "permits", Mistakes.Nothing.class));

    /**
     * One method, made wrong.
     *
     * @param type a class with its package, below {@code io.holdfast.internal} or, for one of the SPI, {@code io.holdfast}
     * @param method all of its methods of that name, or its constructors; with a slash and a number, those with so many
     *     arguments
     * @param mistake the advice that is woven in
     */
    record Change(String type, String method, Class<?> mistake) {

        /** The engine's source may have moved on: then no mutant runs, rather than one that is right by mistake. */
        Change {
            MutantLoader.requireMethod(type, method);
        }
    }

    final String story;
    final Set<Check> foundBy;
    final List<Change> changes;

    Mutant(String story, Set<Check> foundBy, Change... changes) {
        this.story = story;
        this.foundBy = foundBy;
        this.changes = List.of(changes);
    }
}
