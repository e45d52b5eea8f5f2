package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One node below a name. All that {@link io.holdfast.spi.ClaimRule} needs is in its own name, so that one listing, which
 * is atomic, is enough to decide:
 *
 * <pre>
 *   h~e~1~64~5e0c…~&lt;claim id&gt;~y            a claim that holds: mode, permits, tokens, whether it yields; not ephemeral
 *   q~s~1~1~a41b…~&lt;claim id&gt;~&lt;beside&gt;~0000000012   one that waits; ephemeral and sequential
 *   c~5~77d2…                               how many permits the semaphore has
 *   t~8822…~09ab…                           the token below which no grant may come
 * </pre>
 *
 * The digits at random make every path one of a kind: that such a node is there proves that its parent was not deleted and
 * made again since.
 */
record ChildNode(
        String name,
        Type type,
        Mode mode,
        int permits,
        long number,
        String id,
        @Nullable String compatibleWith,
        boolean revocable,
        int sequence) {

    enum Type {
        HOLDS,
        WAITS,
        CAPACITY,
        FLOOR
    }

    static final Owner NOBODY = new Owner("", "", 0, "");

    /** A node that holds for the claim. */
    static ChildNode holding(Claim claim) {
        String name = "h" + described(claim) + "~" + mark(claim.revocable());
        return new ChildNode(
                name,
                Type.HOLDS,
                claim.mode(),
                claim.permits(),
                claim.tokens(),
                claim.id(),
                null,
                claim.revocable(),
                0);
    }

    /** The name of a node that waits for it; the server appends the sequence. */
    static String waiting(Claim claim) {
        return "q" + described(claim) + "~"
                + (claim.compatibleWith() == null ? "" : Names.encode(claim.compatibleWith())) + "~";
    }

    /** Another node for the same claim. */
    ChildNode withPermits(int fewer) {
        String other = "h~" + letter(mode) + "~" + fewer + "~" + tokens() + "~" + nonce() + "~" + Names.encode(id) + "~"
                + mark(revocable);
        return new ChildNode(other, type, mode, fewer, number, id, compatibleWith, revocable, 0);
    }

    static String capacity(int capacity) {
        return "c~" + capacity + "~" + nonce();
    }

    static String floor(long token) {
        return "t~" + token + "~" + nonce();
    }

    private static String described(Claim claim) {
        return "~" + letter(claim.mode()) + "~" + claim.permits() + "~" + claim.tokens() + "~" + nonce() + "~"
                + Names.encode(claim.id());
    }

    private static String mark(boolean revocable) {
        return revocable ? "y" : "";
    }

    private static char letter(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> 'e';
            case SHARED -> 's';
            case PERMITS -> 'p';
        };
    }

    private static String nonce() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    /** The node of our own making that has this path. */
    static ChildNode of(String path) {
        return Objects.requireNonNull(parse(path.substring(path.lastIndexOf('/') + 1)));
    }

    /** The node of that name, or {@code null} if it is none of ours. */
    static @Nullable ChildNode parse(String name) {
        String[] parts = name.split("~", -1);
        try {
            return switch (parts[0]) {
                case "h" ->
                    new ChildNode(
                            name,
                            Type.HOLDS,
                            mode(parts[1]),
                            number(parts[2]),
                            number(parts[3]),
                            id(parts),
                            null,
                            parts[6].equals(mark(true)),
                            0);
                case "q" ->
                    new ChildNode(
                            name,
                            Type.WAITS,
                            mode(parts[1]),
                            number(parts[2]),
                            number(parts[3]),
                            id(parts),
                            parts[6].isEmpty() ? null : Names.decode(parts[6]),
                            false,
                            number(parts[7]));
                case "c" -> new ChildNode(name, Type.CAPACITY, Mode.PERMITS, 0, number(parts[1]), "", null, false, 0);
                case "t" ->
                    new ChildNode(name, Type.FLOOR, Mode.EXCLUSIVE, 0, Long.parseLong(parts[1]), "", null, false, 0);
                default -> null;
            };
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }

    private static Mode mode(String letter) {
        return switch (letter) {
            case "e" -> Mode.EXCLUSIVE;
            case "s" -> Mode.SHARED;
            case "p" -> Mode.PERMITS;
            default -> throw new IllegalArgumentException(letter);
        };
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static String id(String[] parts) {
        return Names.decode(parts[5]);
    }

    /** How many tokens its grant reserves. */
    int tokens() {
        return (int) number;
    }

    /** Whether its grant reserves more tokens than its transaction has room for. */
    boolean isLarge() {
        return type == Type.HOLDS && tokens() > Tokens.ROOM;
    }

    /** As much of the claim as the rule looks at. */
    Claim claim() {
        return new Claim(
                "",
                id,
                mode,
                Duration.ZERO,
                1,
                NOBODY,
                QueuePolicy.QUEUES,
                permits,
                ClaimOptions.NONE.withCompatible(compatibleWith));
    }
}
