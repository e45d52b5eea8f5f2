package io.holdfast.cas;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.support.LineState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a register keeps of one name, as a value. It has no times: each claim has the length of its lease and a beat number, and
 * every client counts from when it first saw that number.
 *
 * @param lastToken the greatest token that was granted
 * @param lastTicket the greatest ticket number that was given
 * @param capacityChanges the ids of the changes of the capacity that were applied
 * @param fenced whether the value must stay when nothing is left in it, because a write that expects it to be absent may still
 *     come. The sweeper removes it later
 * @param begun whether its tokens begin above all that were ever granted for the name. One that is not begun has no claims yet
 */
record StoredLine(
        List<StoredEntry> holders,
        List<StoredEntry> queue,
        long lastToken,
        long lastTicket,
        int capacity,
        Set<String> capacityChanges,
        boolean fenced,
        boolean begun) {

    static final StoredLine EMPTY =
            new StoredLine(List.of(), List.of(), 0, 0, LineState.UNKNOWN_CAPACITY, Set.of(), false, true);

    static final StoredLine NOT_BEGUN =
            new StoredLine(List.of(), List.of(), 0, 0, LineState.UNKNOWN_CAPACITY, Set.of(), false, false);

    boolean isEmpty() {
        return holders.isEmpty() && queue.isEmpty() && capacity == LineState.UNKNOWN_CAPACITY;
    }

    StoredLine asFenced() {
        return new StoredLine(holders, queue, lastToken, lastTicket, capacity, capacityChanges, true, begun);
    }

    StoredLine raisedTo(long least) {
        return lastToken >= least
                ? this
                : new StoredLine(holders, queue, least, lastTicket, capacity, capacityChanges, fenced, begun);
    }

    StoredLine begunAt(long floor) {
        return new StoredLine(
                holders,
                queue,
                Math.max(lastToken, floor),
                Math.max(lastTicket, floor),
                capacity,
                capacityChanges,
                fenced,
                true);
    }

    // ---- as a value ----------------------------------------------------------------------------------------------

    byte[] encode(Stamp stamp) {
        return encode(stamp, false, 0);
    }

    /** Tokens and tickets count from the revision that the value gets by being written, and the floor. */
    byte[] encodeRelative(Stamp stamp, long floor) {
        return encode(stamp, true, floor);
    }

    private byte[] encode(Stamp stamp, boolean relative, long floor) {
        Bytes.Writer out = new Bytes.Writer(stamp);
        out.flag(relative);
        out.number(floor);
        out.flag(fenced);
        out.flag(begun);
        out.number(lastToken);
        out.number(lastTicket);
        out.number(capacity + 1L);
        out.number(capacityChanges.size());
        capacityChanges.forEach(out::text);
        entries(out, holders);
        entries(out, queue);
        return out.bytes();
    }

    private static void entries(Bytes.Writer out, List<StoredEntry> entries) {
        out.number(entries.size());
        for (StoredEntry entry : entries) {
            Claim claim = entry.claim();
            int colon = claim.id().lastIndexOf(':');
            out.text(claim.id().substring(0, Math.max(colon, 0)));
            out.text(claim.id().substring(Math.max(colon, 0)));
            out.number(letter(claim.mode()));
            out.number(claim.lease().toNanos());
            out.number(claim.holds());
            out.text(claim.owner().client());
            out.text(claim.owner().host());
            out.number(claim.owner().process());
            out.text(claim.owner().thread());
            out.number(letter(claim.policy()));
            out.number(claim.permits());
            out.number(claim.tokens());
            String compatible = claim.compatibleWith();
            out.flag(compatible != null);
            if (compatible != null) {
                out.text(compatible);
            }
            out.flag(claim.revocable());
            out.flag(claim.grantOnRelease());
            out.number(entry.ticket());
            out.number(entry.token());
            out.number(entry.since().toEpochMilli());
            out.number(entry.beat().writer());
            out.number(entry.beat().number());
            out.number(entry.nanos());
        }
    }

    // What the names of these are in Java may change; what a letter means may not.

    private static long letter(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> 'e';
            case SHARED -> 's';
            case PERMITS -> 'p';
        };
    }

    private static Mode mode(long letter) {
        return switch ((char) letter) {
            case 'e' -> Mode.EXCLUSIVE;
            case 's' -> Mode.SHARED;
            case 'p' -> Mode.PERMITS;
            default -> throw new IllegalArgumentException("mode " + letter);
        };
    }

    private static long letter(QueuePolicy policy) {
        return switch (policy) {
            case BARGES -> 'b';
            case BARGES_OR_QUEUES -> 'o';
            case GIVES_WAY -> 'g';
            case QUEUES -> 'q';
        };
    }

    private static QueuePolicy policy(long letter) {
        return switch ((char) letter) {
            case 'b' -> QueuePolicy.BARGES;
            case 'o' -> QueuePolicy.BARGES_OR_QUEUES;
            case 'g' -> QueuePolicy.GIVES_WAY;
            case 'q' -> QueuePolicy.QUEUES;
            default -> throw new IllegalArgumentException("policy " + letter);
        };
    }

    /** @param base what relative tokens and tickets count from, besides the floor that is in the value */
    static StoredLine decode(String key, String name, byte[] value, long base) {
        try {
            Bytes.Reader in = new Bytes.Reader(key, value);
            in.stamp();
            boolean relative = in.flag();
            long floor = in.number();
            long above = relative ? base + floor : 0;
            boolean fenced = in.flag();
            boolean begun = in.flag();
            long lastToken = in.number() + above;
            long lastTicket = in.number() + above;
            int capacity = (int) in.number() - 1;
            List<String> changes = new ArrayList<>();
            for (int i = in.count(); i > 0; i--) {
                changes.add(in.text());
            }
            List<StoredEntry> holders = entries(in, name, above);
            List<StoredEntry> queue = entries(in, name, above);
            return new StoredLine(holders, queue, lastToken, lastTicket, capacity, Set.copyOf(changes), fenced, begun);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
            throw Bytes.Reader.foreign(key);
        }
    }

    private static List<StoredEntry> entries(Bytes.Reader in, String name, long above) {
        int size = in.count();
        List<StoredEntry> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            String id = in.text() + in.text();
            Mode mode = mode(in.number());
            Duration lease = Duration.ofNanos(in.number());
            int holds = (int) in.number();
            Owner owner = new Owner(in.text(), in.text(), in.number(), in.text());
            QueuePolicy policy = policy(in.number());
            int permits = (int) in.number();
            int tokens = (int) in.number();
            @Nullable String compatible = in.flag() ? in.text() : null;
            ClaimOptions options = ClaimOptions.tokens(tokens)
                    .withCompatible(compatible)
                    .withRevocable(in.flag())
                    .withGrantOnRelease(in.flag());
            Claim claim = new Claim(name, id, mode, lease, holds, owner, policy, permits, options);
            entries.add(new StoredEntry(
                            claim,
                            in.number(),
                            in.number(),
                            Instant.ofEpochMilli(in.number()),
                            new Stamp(in.number(), in.number()),
                            in.number())
                    .above(above));
        }
        return List.copyOf(entries);
    }
}
