package io.holdfast.jdbc;

import io.holdfast.Claimant;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Turn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One claim of a name, as it is stored: in the name's own row if it has the lock for itself, else in a row of its own. */
final class Entry {

    private static final Owner NOBODY = new Owner("", "", 0, "");

    final String id;
    final Mode mode;

    /** Where it is in the queue; of no meaning once it holds. */
    final long place;

    boolean held;
    long token;
    long since;
    long endsAt;
    int holds;
    int permits;

    @Nullable
    String beside;

    byte @Nullable [] owner;

    /** Whether it is called, while it holds, when others ask. */
    boolean yields;

    /** How often it was called. */
    long called;

    /** Whether it has a row of its own, as far as the database knows. */
    boolean stored;

    /** Whether it is in the name's row. */
    boolean inName;

    boolean changed;

    Entry(String id, Mode mode, long place) {
        this.id = id;
        this.mode = mode;
        this.place = place;
    }

    static Entry of(Claim claim, long place) {
        Entry entry = new Entry(claim.id(), claim.mode(), place);
        entry.permits = claim.permits();
        entry.set(claim);
        return entry;
    }

    /** Takes over what a claim that asks again may change. */
    void set(Claim claim) {
        holds = claim.holds();
        permits = Math.min(permits, claim.permits());
        beside = claim.beside();
        yields = claim.yields();
        owner = OwnerRecord.bytes(claim.owner());
        changed = true;
    }

    void until(long end) {
        if (end > endsAt) {
            endsAt = end;
            changed = true;
        }
    }

    /** As the rule sees it. */
    Claim claim(String name) {
        return new Claim(name, id, mode, Duration.ZERO, holds, 1, NOBODY, Turn.QUEUES, permits, 1, beside);
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
