package io.holdfast.jdbc;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.support.ClaimLine;
import io.holdfast.spi.support.CommandContext;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineUpdate;
import io.holdfast.spi.support.Notification;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one name, locked while a {@link ClaimLine} applies commands to the claims in them. It converts between the
 * rows and the state of the line, and says which rows to write; {@link Lines} reads and writes them.
 */
final class Line {

    final Key key;

    /** The entries by their claims' ids: as they were read and, after {@link #finish}, as they are to be written. */
    final Map<String, Entry> entries = new LinkedHashMap<>();

    /** The entries whose own rows are to be deleted. */
    final List<Entry> removed = new ArrayList<>();

    /** The claims that are to be notified, in order. */
    final Set<String> notified = new LinkedHashSet<>();

    long now;
    long lastToken;

    /** The token that each grant is above, of whatever name. */
    long tokenFloor;

    int capacity = LineState.UNKNOWN_CAPACITY;
    long changes;
    long usedAt;

    /** How many entries have rows of their own, as far as the database knows. */
    int others;

    /** Whether the database has a row for the name. */
    boolean exists;

    /** Whether the name's row is to be written. */
    boolean changed;

    /** Whether the name has become free, so that its watchers are to be notified. */
    boolean freed;

    /** Whether all claims of the name were read, and not only those that a command turns on. */
    boolean whole = true;

    private @Nullable ClaimLine claims;

    Line(Key key) {
        this.key = key;
    }

    void add(Entry entry) {
        entries.put(entry.id, entry);
    }

    /** Whether all claims of the name have been read. */
    boolean isComplete() {
        return entries.values().stream().filter(entry -> !entry.inName).count() == others;
    }

    /**
     * Whether a command of this exclusive claim does the same to the claims that were read as to all of them. The first of the
     * others in the queue has been read; if it is live and exclusive, nothing that is behind it is granted or called.
     */
    boolean isDecidedBy(String own) {
        Entry first = null;
        for (Entry entry : entries.values()) {
            if (!entry.held && !entry.id.equals(own) && (first == null || entry.ticket < first.ticket)) {
                first = entry;
            }
        }
        return first != null && first.mode == Mode.EXCLUSIVE && !first.hasEnded(now);
    }

    /** Makes a line of what was read. */
    void begin() {
        List<LineEntry> holders = new ArrayList<>();
        List<LineEntry> queue = new ArrayList<>();
        for (Entry entry : entries.values()) {
            (entry.held ? holders : queue).add(entry.load(key.name()));
        }
        holders.sort(Comparator.comparingLong(LineEntry::token));
        queue.sort(Comparator.comparingLong(LineEntry::ticket));
        claims = new ClaimLine(
                new LineState(holders, queue, lastToken, capacity, Micros.nanos(usedAt), Set.of()),
                new CommandContext(
                        Micros.nanos(now), Micros.instant(now), Math.max(now, tokenFloor + 1), leastTicket()));
    }

    /** Above all that the queue has, also where the last one is over and those before it were not read. */
    private long leastTicket() {
        long last = 0;
        for (Entry entry : entries.values()) {
            last = whole || entry.held ? last : Math.max(last, entry.ticket);
        }
        return last + 1;
    }

    private ClaimLine claims() {
        if (claims == null) {
            throw new IllegalStateException("the rows have not been read");
        }
        return claims;
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    /** {@code null} if the claim asks for more permits than there are. */
    @Nullable
    ClaimResult claim(Claim claim) {
        ClaimResult outcome = claims().claim(claim);
        // Ticket numbers begin again whenever the queue is empty, so a client can't tell an old ticket by them.
        if (outcome instanceof ClaimResult.Granted granted) {
            return new ClaimResult.Granted(granted.token());
        }
        return outcome instanceof ClaimResult.Busy waiting ? new ClaimResult.Busy(waiting.retryAfter()) : null;
    }

    StoreRefusedException refusal(Claim claim) {
        return claims().refusal(claim);
    }

    @Nullable
    ClaimStatus renew(Claim claim) {
        return claims().renew(claim);
    }

    boolean release(Claim claim) {
        return claims().release(claim);
    }

    boolean forceRelease(OptionalLong token) {
        return claims().forceRelease(token);
    }

    /** @param isNew whether the change has not been applied yet */
    int addPermits(String id, int by, int initial, boolean isNew) {
        if (!isNew) {
            claims().noteCapacityChange(id);
        }
        return claims().addPermits(id, by, initial);
    }

    // ---- what came of them ------------------------------------------------------------------------------------

    /** The state after the commands. */
    LineState state() {
        return claims().update().state();
    }

    /** What is stored of these entries, in their order. */
    List<Entry> entries(List<LineEntry> live) {
        List<Entry> found = new ArrayList<>();
        for (LineEntry one : live) {
            Entry entry = entries.get(one.id());
            if (entry != null) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Takes over what the commands changed, and notes which rows to write. */
    void finish() {
        LineUpdate update = claims().update();
        LineState state = update.state();
        update.removedEntries().forEach(gone -> remove(gone.id()));
        for (LineEntry saved : update.changedEntries()) {
            save(saved, state.holders().contains(saved));
        }
        for (Notification notification : update.notifications()) {
            notify(notification.claim().id());
        }
        changed |= state.lastToken() != update.before().lastToken()
                || state.capacity() != update.before().capacity()
                || state.usedAt() != update.before().usedAt();
        lastToken = state.lastToken();
        capacity = state.capacity();
        usedAt = Micros.ofNanos(state.usedAt());
        if (update.freed()) {
            freed = true;
            changed = true;
            changes++;
        }
    }

    private void remove(String id) {
        Entry entry = entries.remove(id);
        changed = true;
        if (entry != null) {
            removeRow(entry);
        }
    }

    private void save(LineEntry saved, boolean held) {
        Entry entry = entries.computeIfAbsent(
                saved.id(), id -> new Entry(id, saved.claim().mode()));
        if (held && entry.token != saved.token()) {
            if (entry.mode == Mode.EXCLUSIVE && entries.values().stream().noneMatch(other -> other.inName)) {
                removeRow(entry);
                entry.inName = true;
            }
        } else if (!held && entry.ticket != saved.ticket()) {
            // Its claim had ended and came back: an entry's row keeps its ticket, so this one gets another row.
            removeRow(entry);
            changed |= entry.inName;
            entry.inName = false;
        }
        entry.save(saved, held);
        changed |= entry.inName;
    }

    private void removeRow(Entry entry) {
        if (entry.stored) {
            entry.stored = false;
            entry.wasOver = entry.hasEnded(now);
            removed.add(entry);
        }
    }

    private void notify(String id) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.called++;
            entry.changed = true;
            changed |= entry.inName;
            notified.add(id);
        }
    }
}
