package io.holdfast.spi.support;

import java.util.List;
import java.util.Set;

/**
 * All that a store keeps of one name: the form in which it is loaded and written.
 *
 * @param holders the claims that hold, in the order in which they were granted
 * @param queue the claims that wait, in the order of their tickets
 * @param lastToken the greatest token that was granted for the name, or 0
 * @param capacity how many permits a semaphore has, or {@link #UNKNOWN_CAPACITY}; always that for a lock
 * @param usedAt when the name was last used, in nanoseconds on the clock of {@link CommandContext#now}
 * @param capacityChanges the ids of the changes of the capacity that were applied
 */
public record LineState(
        List<LineEntry> holders,
        List<LineEntry> queue,
        long lastToken,
        int capacity,
        long usedAt,
        Set<String> capacityChanges) {

    public static final int UNKNOWN_CAPACITY = -1;

    /** A name of which nothing is known. */
    public static final LineState EMPTY = new LineState(List.of(), List.of(), 0, UNKNOWN_CAPACITY, 0, Set.of());

    public LineState {
        holders = List.copyOf(holders);
        queue = List.copyOf(queue);
        capacityChanges = Set.copyOf(capacityChanges);
    }

    /**
     * Whether no claim and no capacity is in it. A store may delete it then, if it keeps {@link #lastToken} elsewhere: see
     * {@link CommandContext#minimumToken}.
     */
    public boolean isEmpty() {
        return holders.isEmpty() && queue.isEmpty() && capacity == UNKNOWN_CAPACITY;
    }

    /** The greatest ticket number in the queue, or 0. */
    public long lastTicket() {
        return queue.isEmpty() ? 0 : queue.get(queue.size() - 1).ticket();
    }
}
