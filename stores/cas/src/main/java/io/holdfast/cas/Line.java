package io.holdfast.cas;

import io.holdfast.spi.Claim;
import io.holdfast.spi.support.ClaimLine;
import io.holdfast.spi.support.CommandContext;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineUpdate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored line at one moment of this client's clock: what the {@link ClaimLine} of the shared kernel works on, and what of its update
 * has to be written.
 */
final class Line {

    private final Kernel kernel;
    private final Beats beats;
    private final Sightings sightings;
    private final StoredLine stored;
    private final long version;
    private final boolean absent;
    private final long now;

    Line(Kernel kernel, Beats beats, Sightings sightings, StoredLine stored, @Nullable Entry entry) {
        this.kernel = kernel;
        this.beats = beats;
        this.sightings = sightings;
        this.stored = stored;
        this.version = entry == null ? 0 : entry.version();
        this.absent = entry == null;
        this.now = kernel.now();
    }

    /** Whether a look at the beats could show that a ticket has ended. */
    boolean isLookDue() {
        return stored.queue().stream().anyMatch(ticket -> beats.isDue(sightings.ticketEnds(ticket, now)));
    }

    LineState state() {
        List<LineEntry> holders = stored.holders().stream()
                .map(entry -> live(entry, sightings.holderEnds(entry, now)))
                .toList();
        List<LineEntry> queue = stored.queue().stream()
                .map(entry -> live(
                        entry,
                        beats.hasEnded(entry.id(), sightings.ticketEnds(entry, now))
                                ? now
                                : now + Claim.TICKET.toNanos()))
                .toList();
        return new LineState(
                holders,
                queue,
                stored.lastToken(),
                stored.capacity(),
                absent ? now : sightings.changedAt(),
                stored.capacityChanges());
    }

    private static LineEntry live(StoredEntry entry, long endsAt) {
        return new LineEntry(entry.claim(), entry.ticket(), entry.token(), entry.since(), endsAt);
    }

    ClaimLine begin() {
        // The next write has a greater revision than this value. Of one that is made now, all counts from its own.
        long least = kernel.register().hasRevisions() && !absent ? kernel.base(version) + 1 : 1;
        return new ClaimLine(
                state(), new CommandContext(now, Instant.now(), least, Math.max(least, stored.lastTicket() + 1)));
    }

    /** The line as it is to be written; the same as the stored one if nothing has to be. */
    StoredLine after(LineUpdate update) {
        Map<String, StoredEntry> before = new HashMap<>();
        stored.holders().forEach(entry -> before.put("h" + entry.id(), entry));
        stored.queue().forEach(entry -> before.put("q" + entry.id(), entry));
        Map<String, LineEntry> loaded = new HashMap<>();
        update.before().holders().forEach(entry -> loaded.put(entry.id(), entry));
        List<StoredEntry> holders = new ArrayList<>();
        for (LineEntry entry : update.state().holders()) {
            StoredEntry old = before.get("h" + entry.id());
            holders.add(old != null && entry.equals(loaded.get(entry.id())) ? old : written(entry));
        }
        List<StoredEntry> queue = new ArrayList<>();
        for (LineEntry entry : update.state().queue()) {
            StoredEntry old = before.get("q" + entry.id());
            // That a ticket is kept is written in the beat of its client.
            queue.add(old != null && old.ticket() == entry.ticket() ? old : written(entry));
        }
        LineState state = update.state();
        return new StoredLine(
                holders,
                queue,
                state.lastToken(),
                Math.max(stored.lastTicket(), state.lastTicket()),
                state.capacity(),
                state.capacityChanges(),
                stored.fenced(),
                stored.begun());
    }

    private StoredEntry written(LineEntry entry) {
        return new StoredEntry(
                entry.claim(),
                entry.ticket(),
                entry.token(),
                entry.since(),
                kernel.stamps().next(),
                Math.max(1, entry.endsAt() - now));
    }

    /** Whether all that differs is that claims are left out that have ended by themselves: that need not be written. */
    boolean isOnlyTidied(StoredLine after) {
        return stored.holders().containsAll(after.holders())
                && stored.queue().containsAll(after.queue())
                && stored.lastToken() == after.lastToken()
                && stored.lastTicket() == after.lastTicket()
                && stored.capacity() == after.capacity()
                && stored.capacityChanges().equals(after.capacityChanges())
                && !isShorterByRelease;
    }

    private boolean isShorterByRelease;

    /** A command took claims out that had not ended. */
    void noteEnded(LineUpdate update) {
        isShorterByRelease |= update.before().holders().stream()
                        .anyMatch(entry -> entry.endsAt() - now > 0
                                && update.state().holders().stream()
                                        .noneMatch(one -> one.id().equals(entry.id())))
                || update.before().queue().stream()
                        .anyMatch(entry -> entry.endsAt() - now > 0
                                && update.state().queue().stream()
                                        .noneMatch(one -> one.id().equals(entry.id())));
    }

    /** Whether the value may be deleted when nothing is left in it: no later token or ticket can come below the last one. */
    boolean mayDelete(StoredLine after, long floor) {
        return after.isEmpty()
                && !after.fenced()
                && !absent
                && kernel.register().hasRevisions()
                && Math.max(after.lastToken(), after.lastTicket()) < kernel.base(version + 1) + floor;
    }
}
