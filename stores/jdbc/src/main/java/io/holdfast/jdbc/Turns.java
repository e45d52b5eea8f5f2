package io.holdfast.jdbc;

import io.holdfast.jdbc.Tickets.Seen;
import io.holdfast.jdbc.Tickets.Ticket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * When to look at which ticket, where the database does not notify: a ticket lock with proportional back-off. A client looks
 * again after most of the time that the tickets before its own will take, as fast as the queue has moved so far. So a client
 * that waits behind a thousand others looks a few times, and a client that is next looks every millisecond or two; if the
 * queue stands still, all look ever more rarely, in proportion to the time that has passed.
 */
final class Turns {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The part of the time that has passed since the queue has moved, after which to look again. */
    private static final int SHARE = 8;

    /** A claim whose turn has come is sent at once, and mostly granted: there is nothing to look for until it is answered. */
    private static final long CALLED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How many names' paces are remembered while this store has no ticket for them. */
    private static final int PACES = 256;

    private static final class Waiting {
        final Ticket ticket;

        /** Whether this store sent the claim, rather than found its ticket. */
        boolean own;

        long lookAt = System.nanoTime();

        /** How often the lock had become free when the claim was called; -1 if its turn had not come when it was last seen. */
        long calledAt = -1;

        Waiting(Ticket ticket) {
            this.ticket = ticket;
        }
    }

    /** How fast the queue of a name moves. */
    private static final class Pace {
        long first;
        long movedAt;

        /** How long each ticket took; 0 until that has been seen. */
        long perTicket;

        Pace(long first, long now) {
            this.first = first;
            this.movedAt = now;
        }

        void saw(long nowFirst, long now) {
            if (nowFirst > first) {
                long each = (now - movedAt) / (nowFirst - first);
                perTicket = perTicket == 0 ? each : (perTicket * 3 + each) / 4;
            }
            if (nowFirst != first) {
                first = nowFirst;
                movedAt = now;
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    /** By the claims' ids. */
    private final Map<String, Waiting> tickets = new HashMap<>();

    private final Map<String, Pace> paces = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pace> eldest) {
            return size() > PACES;
        }
    };

    /** The claim was sent, and waits with this ticket. Whether it is to be looked at sooner than was planned. */
    boolean waits(Ticket ticket) {
        lock.lock();
        try {
            Waiting waiting = tickets.computeIfAbsent(ticket.id(), unused -> new Waiting(ticket));
            waiting.own = true;
            Pace pace = paces.get(ticket.name());
            long first = pace == null ? 0 : Math.min(CALLED_NANOS, pace.perTicket / 4);
            waiting.lookAt = System.nanoTime() + first;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** There is a ticket, of whichever store. */
    void found(Ticket ticket) {
        lock.lock();
        try {
            tickets.computeIfAbsent(ticket.id(), unused -> new Waiting(ticket));
        } finally {
            lock.unlock();
        }
    }

    void isOver(String claimId) {
        lock.lock();
        try {
            tickets.remove(claimId);
        } finally {
            lock.unlock();
        }
    }

    boolean isWaiting(String claimId) {
        lock.lock();
        try {
            return tickets.containsKey(claimId);
        } finally {
            lock.unlock();
        }
    }

    /** The lock was released by this store. Whether it has a ticket for it, which is to be looked at now. */
    boolean released(String name) {
        lock.lock();
        try {
            boolean any = false;
            for (Waiting waiting : tickets.values()) {
                if (waiting.ticket.name().equals(name)) {
                    waiting.lookAt = System.nanoTime();
                    any = true;
                }
            }
            return any;
        } finally {
            lock.unlock();
        }
    }

    /** The tickets to be looked at now. */
    List<Ticket> due(long now) {
        lock.lock();
        try {
            List<Ticket> due = new ArrayList<>();
            for (Waiting waiting : tickets.values()) {
                if (now - waiting.lookAt >= 0) {
                    due.add(waiting.ticket);
                    waiting.lookAt = now + LONGEST_NANOS; // unless it is seen
                }
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    /** For how long no ticket is to be looked at; at most that long. */
    long untilDue(long now, long longest) {
        lock.lock();
        try {
            long least = longest;
            for (Waiting waiting : tickets.values()) {
                least = Math.min(least, waiting.lookAt - now);
            }
            return Math.max(0, least);
        } finally {
            lock.unlock();
        }
    }

    /** Takes note of how those stand that were looked at. The ids of the claims whose turn has come since then. */
    List<String> saw(List<Ticket> looked, List<Seen> turns, long now) {
        lock.lock();
        try {
            List<String> called = new ArrayList<>();
            Set<String> gone = new HashSet<>();
            looked.forEach(ticket -> gone.add(ticket.id()));
            turns.forEach(policy -> gone.remove(policy.ticket().id()));
            tickets.values().removeIf(waiting -> !waiting.own && gone.contains(waiting.ticket.id()));
            for (Seen policy : turns) {
                Waiting waiting = tickets.get(policy.ticket().id());
                if (waiting != null && saw(policy, waiting, now)) {
                    called.add(policy.ticket().id());
                }
            }
            return called;
        } finally {
            lock.unlock();
        }
    }

    private boolean saw(Seen policy, Waiting waiting, long now) {
        Pace pace = paces.computeIfAbsent(policy.ticket().name(), unused -> new Pace(policy.first(), now));
        pace.saw(policy.first(), now);
        if (!policy.isReached()) {
            waiting.calledAt = -1;
            long share = (now - pace.movedAt) / SHARE;
            long most = (policy.place() - policy.first()) * pace.perTicket / 4 * 3;
            waiting.lookAt = now + Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, Math.max(share, most)));
            return false;
        }
        boolean isNew = waiting.calledAt != policy.changes();
        waiting.calledAt = policy.changes();
        waiting.lookAt = now + CALLED_NANOS;
        return isNew;
    }
}
