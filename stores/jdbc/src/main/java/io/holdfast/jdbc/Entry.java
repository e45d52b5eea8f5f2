package io.holdfast.jdbc;

import io.holdfast.Claimant;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.support.LineEntry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One claim of a name, as it is stored: in the name's own row if it has the lock for itself, else in a row of its own. */
final class Entry {

    /** Of an entry that was read: its owner stays as it is stored, and no rule needs it. */
    private static final Owner UNREAD = new Owner("", "", 0, "");

    final String id;
    final Mode mode;

    /** The number of its ticket in the queue; of no meaning once it holds. */
    long ticket;

    boolean held;
    long token;
    long since;
    long endsAt;
    int holds;
    int permits;

    @Nullable
    String compatibleWith;

    byte @Nullable [] owner;

    /** Whether it is called, while it holds, when others ask. */
    boolean revocable;

    /** How often it was called. */
    long called;

    /** Whether it has a row of its own, as far as the database knows. */
    boolean stored;

    /** Whether it is in the name's row. */
    boolean inName;

    boolean changed;

    /** Whether it had ended when its row was to be deleted. */
    boolean wasOver;

    Entry(String id, Mode mode) {
        this.id = id;
        this.mode = mode;
    }

    /** As the line sees it. */
    LineEntry load(String name) {
        Claim claim = new Claim(
                name,
                id,
                mode,
                Duration.ZERO,
                holds,
                UNREAD,
                QueuePolicy.QUEUES,
                permits,
                new ClaimOptions(1, 1, compatibleWith, revocable, 0, false));
        return new LineEntry(claim, ticket, held ? token : 0, Micros.instant(since), Micros.nanos(endsAt));
    }

    /** Takes over what the line made of it. */
    void save(LineEntry saved, boolean isHeld) {
        Claim claim = saved.claim();
        held = isHeld;
        holds = claim.holds();
        ticket = saved.ticket();
        token = saved.token();
        since = Micros.of(saved.since());
        endsAt = Micros.ofNanos(saved.endsAt());
        permits = claim.permits();
        compatibleWith = claim.compatibleWith();
        revocable = claim.revocable();
        if (!claim.owner().equals(UNREAD)) {
            owner = OwnerRecord.bytes(claim.owner());
        }
        changed = true;
    }

    boolean hasEnded(long now) {
        return endsAt <= now;
    }

    Claimant claimant(long now) {
        Owner who = OwnerRecord.parse(owner);
        return new Claimant(
                id,
                mode,
                permits,
                who == null ? null : who.client(),
                who == null ? null : who.host(),
                who == null ? null : (Long) who.process(),
                who == null ? null : who.thread(),
                held ? (Long) token : null,
                holds,
                Micros.instant(since),
                Micros.duration(Math.max(0, endsAt - now)));
    }

    static int code(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> 0;
            case SHARED -> 1;
            case PERMITS -> 2;
        };
    }

    static Mode mode(int code) {
        return switch (code) {
            case 0 -> Mode.EXCLUSIVE;
            case 1 -> Mode.SHARED;
            default -> Mode.PERMITS;
        };
    }
}
