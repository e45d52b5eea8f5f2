package io.holdfast.quorum;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Releases what single nodes have of unwanted claims: votes of a minority, grants that came late, and releases
 * that a node missed. Each goes out at once; what a node has not answered is sent again until it has, or the lease is over
 * anyway. A node that is away is tried with one of them, and gets the rest when it is back.
 */
class Cleaner {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int DOUBLINGS = 5;
    private static final int AT_ONCE = 32;

    /** More than that end by their leases. */
    private static final int MOST = 50_000;

    private record Due(Claim claim, long until) {}

    private final Surroundings world;
    private final Map<Node, Backlog> backlogs = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Cleaner(Surroundings world) {
        this.world = world;
    }

    /** @param claim as this node knows it */
    void giveBack(Node node, Claim claim) {
        long until = world.nanos() + claim.lease().toNanos() + Claim.TICKET.toNanos();
        backlogs.computeIfAbsent(node, Backlog::new).add(new Due(claim, until));
    }

    /** How much is not confirmed yet. */
    int size() {
        return backlogs.values().stream().mapToInt(Backlog::size).sum();
    }

    void close() {
        closed = true;
    }

    /** What one node has yet to confirm. */
    private final class Backlog {

        private final Node node;
        private final Map<String, Due> waiting = new LinkedHashMap<>();
        private int sent;
        private int failures;

        /** Whether one of them will be tried after a while. */
        private boolean trying;

        Backlog(Node node) {
            this.node = node;
        }

        synchronized int size() {
            return waiting.size() + sent;
        }

        void add(Due due) {
            synchronized (this) {
                if (failures > 0 && node.isSuspect()) { // or it is back: it has answered something else since
                    waiting.putIfAbsent(due.claim.id(), due);
                    if (waiting.size() > MOST) {
                        poll();
                    }
                    return;
                }
                sent++;
            }
            send(due);
        }

        private void send(Due due) {
            if (closed) {
                return;
            }
            node.ask(store -> store.release(due.claim)).timely().whenComplete((release, failure) -> {
                boolean hopeless = failure instanceof HoldfastException known && !known.retryable();
                if (failure == null || hopeless) {
                    answered();
                } else {
                    unanswered(due);
                }
            });
        }

        private void answered() {
            List<Due> next = new ArrayList<>();
            synchronized (this) {
                sent--;
                failures = 0;
                for (Due due = poll(); due != null; due = sent < AT_ONCE ? poll() : null) {
                    next.add(due);
                    sent++;
                }
            }
            next.forEach(this::send);
        }

        private void unanswered(Due due) {
            boolean last;
            long pause;
            synchronized (this) {
                sent--;
                waiting.putIfAbsent(due.claim.id(), due);
                last = sent == 0 && !trying; // as long as other commands are out, they decide whether to try again
                trying |= last;
                pause = FIRST_PAUSE_NANOS << Math.min(failures++, DOUBLINGS);
            }
            if (last) {
                world.after(pause / 2 + world.random(pause), this::tryOne);
            }
        }

        /** The oldest whose lease is not over. */
        private @Nullable Due poll() {
            Iterator<Due> all = waiting.values().iterator();
            while (all.hasNext()) {
                Due due = all.next();
                all.remove();
                if (due.until - world.nanos() > 0) {
                    return due;
                }
            }
            return null;
        }

        private void tryOne() {
            Due due;
            synchronized (this) {
                trying = false;
                due = poll();
                if (due == null) {
                    failures = 0;
                    return;
                }
                sent++;
            }
            send(due);
        }
    }
}
