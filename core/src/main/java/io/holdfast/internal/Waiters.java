package io.holdfast.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for one lock in this client, first come first; linked with each other, so that whoever has enough of it
 * leaves at no cost, and nobody who waits costs nothing. Only touched on their queue's strand.
 */
final class Waiters {

    /** Nobody, shared by all; never added to. */
    static final Waiters NONE = new Waiters();

    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    /** How many of them may belong to one owner; mostly none, and then nobody need be searched for. */
    private int ids;

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

    List<Waiter> copy() {
        List<Waiter> all = new ArrayList<>(size);
        forEach(all::add);
        return all;
    }

    boolean anyImpatient() {
        for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
            if (waiter.impatient()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it was still waiting. */
    boolean remove(Waiter waiter) {
        waiter.stopTimeout();
        if (waiter != first && waiter.ahead == null) {
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
        return true;
    }

    /** Those who are waiting for a lock that their owner now has. */
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

    /** The attempts are counted anew. */
    void restartAttempts() {
        forEach(waiter -> waiter.firstAttempt = 0);
    }

    /** The store has said something. */
    void answered() {
        forEach(waiter -> waiter.answered = true);
    }

    /** Tells the listeners of those who have begun to wait. */
    void announce() {
        forEach(Waiter::announce);
    }

    /** Answers those who don't want to wait, if the attempt that is answered began after they came. */
    void refuseImpatient(long attempt) {
        forEach(waiter -> {
            if (waiter.impatient() && waiter.firstAttempt <= attempt) {
                remove(waiter);
                waiter.result.complete(null);
            }
        });
    }

    void failAll(Throwable failure) {
        forEach(waiter -> {
            remove(waiter);
            waiter.result.completeExceptionally(failure);
        });
    }

    /** What is done may remove the one that it is done with. */
    private void forEach(Consumer<Waiter> action) {
        Waiter next = first;
        while (next != null) {
            Waiter waiter = next;
            next = waiter.behind;
            action.accept(waiter);
        }
    }

    private static boolean isId(Waiter waiter) {
        return waiter.owner.kind() == LockOwner.Kind.ID;
    }
}
