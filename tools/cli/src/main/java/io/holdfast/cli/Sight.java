package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen at one moment.
 *
 * @param state of a lock or a semaphore, {@code null} for a latch
 * @param latch of a latch
 */
record Sight(
        ResourceType kind,
        String name,
        @Nullable LockState state,
        @Nullable LatchState latch) {

    static Sight of(ResourceType kind, String name, StoreOptions options, LockStore store) {
        return kind == ResourceType.LATCH
                ? new Sight(
                        kind,
                        name,
                        null,
                        options.answer(store, StoreOptions.latches(store).look(name)))
                : new Sight(kind, name, options.answer(store, store.inspect(new Resource(kind, name))), null);
    }

    /** What has happened since; without an earlier sight, how things stand. */
    List<Change> since(@Nullable Sight last) {
        List<Change> changes = new ArrayList<>();
        if (latch != null) {
            countdown(last == null ? null : last.latch, latch, changes);
        } else if (state != null) {
            claims(last == null ? null : last.state, state, changes);
        }
        return changes;
    }

    private void claims(@Nullable LockState before, LockState now, List<Change> changes) {
        if (kind == ResourceType.SEMAPHORE && (before == null || before.permits() != now.permits())) {
            changes.add(new Change(kind, name, "permits", null, (long) Math.max(0, now.permits())));
        }
        Map<String, Claimant> held = byId(before == null ? List.of() : before.holders());
        Map<String, Claimant> waited = byId(before == null ? List.of() : before.waiters());
        Map<String, Claimant> holds = byId(now.holders());
        Map<String, Claimant> waits = byId(now.waiters());
        without(held, holds).forEach(each -> changes.add(new Change(kind, name, "ended", each, null)));
        without(waited, waits).stream()
                .filter(each -> !holds.containsKey(each.claimId()))
                .forEach(each -> changes.add(new Change(kind, name, "left", each, null)));
        without(holds, held).forEach(each -> changes.add(new Change(kind, name, "held", each, null)));
        if (holds.isEmpty() && (before == null || !held.isEmpty())) {
            changes.add(new Change(kind, name, "free", null, null));
        }
        without(waits, waited).forEach(each -> changes.add(new Change(kind, name, "waits", each, null)));
    }

    private void countdown(@Nullable LatchState before, LatchState now, List<Change> changes) {
        if (now.equals(before)) {
            return;
        }
        boolean same = before != null && before.id().equals(now.id());
        if (!now.exists()) {
            changes.add(new Change(kind, name, "unset", null, null));
        } else if (now.isOpen()) {
            changes.add(new Change(kind, name, "open", null, 0L));
        } else {
            changes.add(new Change(kind, name, same ? "count" : "set", null, now.count()));
        }
    }

    private static List<Claimant> without(Map<String, Claimant> these, Map<String, Claimant> those) {
        return these.values().stream()
                .filter(each -> !those.containsKey(each.claimId()))
                .toList();
    }

    private static Map<String, Claimant> byId(List<Claimant> claimants) {
        Map<String, Claimant> byId = new LinkedHashMap<>();
        claimants.forEach(each -> byId.put(each.claimId(), each));
        return byId;
    }
}
