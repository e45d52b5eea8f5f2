package io.holdfast.spi.support;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of the commands that were applied to a line: what to write, and what to tell.
 *
 * @param before the state as it was loaded, with entries that may have ended since
 * @param state the state to write
 * @param freed whether a release left the name without a holder, so that its watchers are to be notified. A lease that ends
 *     by itself does not count, nor does a release that granted the name to a queued claim
 * @param notifications what to tell the clients of claims, in order
 */
public record LineUpdate(LineState before, LineState state, boolean freed, List<Notification> notifications) {

    public LineUpdate {
        notifications = List.copyOf(notifications);
    }

    /** Whether there is anything to write. */
    public boolean isChanged() {
        return !state.equals(before);
    }

    /** The entries that are new or differ from what was loaded, for a store that writes each by itself. */
    public List<LineEntry> changedEntries() {
        Map<String, LineEntry> loaded = byId(before);
        List<LineEntry> changed = new ArrayList<>();
        for (LineEntry entry : entries(state)) {
            if (!entry.equals(loaded.get(entry.id()))) {
                changed.add(entry);
            }
        }
        return changed;
    }

    /** The entries that were loaded and have been released, taken out or have ended. */
    public List<LineEntry> removedEntries() {
        Map<String, LineEntry> left = byId(state);
        List<LineEntry> removed = new ArrayList<>();
        for (LineEntry entry : entries(before)) {
            if (!left.containsKey(entry.id())) {
                removed.add(entry);
            }
        }
        return removed;
    }

    private static Map<String, LineEntry> byId(LineState state) {
        Map<String, LineEntry> byId = new HashMap<>();
        entries(state).forEach(entry -> byId.put(entry.id(), entry));
        return byId;
    }

    private static List<LineEntry> entries(LineState state) {
        List<LineEntry> entries = new ArrayList<>(state.holders());
        entries.addAll(state.queue());
        return entries;
    }
}
