package io.holdfast.internal.queue;

import io.holdfast.internal.claim.Acquisition;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.store.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one plain lock in this client, first come first served: a linked list, so that any waiter leaves at a
 * constant cost and an empty list costs nothing. A grant costs the same with a thousand waiters as with ten: only the waiters
 * that came since the last one are looked at. Touched on their queue's strand alone.
 */
final class Waiters {

    /** No waiters; shared by all queues and never added to. */
    static final Waiters NONE = new Waiters();

    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    /** How many of them may share an owner; mostly none, and then there is nothing to search for. */
    private int ids;

    /** How many of them want an answer now. */
    private int nonBlocking;

    void add(Waiter waiter, Runnable timedOut) {
        waiter.ahead = last;
        if (last == null) {
            first = waiter;
        } else {
            last.behind = waiter;
        }
        last = waiter;
        size++;
        ids += isId(waiter) ? 1 : 0;
        nonBlocking += waiter.nonBlocking() ? 1 : 0;
        waiter.armTimeout(timedOut);
    }

    @Nullable
    Waiter peek() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    boolean anyNonBlocking() {
        return nonBlocking > 0;
    }

    /** Ends the waiter's wait; false if it has left, or only waits for the first answer from now on. */
    boolean tryExpire(Waiter waiter, @Nullable Acquisition acquisition) {
        if (!isIn(waiter)) {
            return false; // it left when its timer was due already
        }
        boolean before = waiter.nonBlocking();
        if (waiter.tryExpire(acquisition)) {
            return true;
        }
        nonBlocking += before ? 0 : 1;
        return false;
    }

    /** True if it was still waiting. */
    boolean remove(Waiter waiter) {
        waiter.stopTimeout();
        if (!isIn(waiter)) {
            return false;
        }
        if (waiter.ahead == null) {
            first = waiter.behind;
        } else {
            waiter.ahead.behind = waiter.behind;
        }
        if (waiter.behind == null) {
            last = waiter.ahead;
        } else {
            waiter.behind.ahead = waiter.ahead;
        }
        waiter.ahead = null;
        waiter.behind = null;
        size--;
        ids -= isId(waiter) ? 1 : 0;
        nonBlocking -= waiter.nonBlocking() ? 1 : 0;
        return true;
    }

    /** The waiters whose owner has the lock now. */
    List<Waiter> askedAgain(Hold hold) {
        if (ids == 0) {
            return List.of();
        }
        List<Waiter> same = new ArrayList<>(0);
        forEach(waiter -> {
            if (hold.isOwnedBy(waiter.owner)) {
                same.add(waiter);
            }
        });
        return same;
    }

    /** The store has said something. */
    void answered() {
        for (Waiter waiter = last; waiter != null && !waiter.answered; waiter = waiter.ahead) {
            waiter.answered = true; // as are all before one that was
        }
    }

    /** Tells the listeners which waiters have begun to wait. */
    void announce() {
        Waiter next = last;
        while (next != null && !next.isAnnounced() && next.ahead != null) {
            next = next.ahead; // all before one that was announced were as well
        }
        for (; next != null; next = next.behind) {
            next.announce();
        }
    }

    /** Removes the non-blocking waiters that came before the attempt that is answered began. */
    List<Waiter> refuseNonBlocking(long attempt) {
        if (nonBlocking == 0) {
            return List.of();
        }
        List<Waiter> refused = new ArrayList<>(1);
        forEach(waiter -> {
            if (waiter.nonBlocking() && waiter.firstAttempt <= attempt) {
                remove(waiter);
                refused.add(waiter);
            }
        });
        return refused;
    }

    /** Removes and fails the waiters that have waited for a failing store for long enough. */
    void failOverdue(long since, long now, Supplier<Throwable> failure) {
        forEach(waiter -> {
            if (waiter.giveUpAt(since) - now <= 0) {
                waiter.result.completeExceptionally(failure.get());
                remove(waiter);
            }
        });
    }

    /** When the first of them gives up on a store that has been failing since then; {@code latest} if none does before. */
    long nextGiveUp(long since, long latest) {
        long next = latest;
        for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
            long until = waiter.giveUpAt(since);
            next = until - next < 0 ? until : next;
        }
        return next;
    }

    /** Wakes the first waiter, if it sleeps; false if the claim can't be offered meanwhile. One token is left for it. */
    boolean tryWakeNext(ActiveClaim held) {
        Waiter next = first;
        return next != null && held.hasTokens(2) && next.terms.equals(held.terms) && next.tryWake();
    }

    /** Adds them to the look; the answer is how many there are. */
    int show(Look look) {
        int position = 0;
        for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
            look.add(waiter.toLocal(look, position++));
        }
        return position;
    }

    void failAll(Throwable failure) {
        forEach(waiter -> {
            remove(waiter);
            waiter.result.completeExceptionally(failure);
        });
    }

    /** The action may remove the current waiter. */
    private void forEach(Consumer<Waiter> action) {
        Waiter next = first;
        while (next != null) {
            Waiter waiter = next;
            next = waiter.behind;
            action.accept(waiter);
        }
    }

    private boolean isIn(Waiter waiter) {
        return waiter == first || waiter.ahead != null;
    }

    private static boolean isId(Waiter waiter) {
        return waiter.owner.type() == LockOwner.Type.ID;
    }
}
