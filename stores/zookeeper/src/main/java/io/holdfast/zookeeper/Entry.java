package io.holdfast.zookeeper;

import io.holdfast.Claimant;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Owner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What the node of a claim holds, in a line each. Every command that sets a claim writes it, and the version that the
 * server counts by that shows other clients that the claim is alive.
 *
 * @param millis how long it lasts after it was last written
 * @param holds how often its owner has entered
 * @param floor the least token that it may have, if that of its transaction is less
 * @param token its token if the node was made anew since the grant; else 0
 * @param since when it was granted or began to wait, in milliseconds of the server's clock; 0 if that is when the node was
 *     made
 * @param owner the owner, for inspection
 * @param base what its grant counted from: see {@link TokenBase}
 */
record Entry(long millis, int holds, long floor, long token, long since, Owner owner, long base) {

    /** That of a claim in a node of its own making. */
    static Entry of(Claim claim, long millis, long floor, long base) {
        return new Entry(millis, claim.holds(), floor, 0, 0, claim.owner(), base);
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(128);
        text.append(millis)
                .append('\n')
                .append(holds)
                .append('\n')
                .append(floor)
                .append('\n');
        text.append(token).append('\n').append(since).append('\n');
        line(text, owner.client()).append('\n');
        line(text, owner.host()).append('\n').append(owner.process()).append('\n');
        line(text, owner.thread());
        if (base > 0) {
            text.append('\n').append(base);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What was written there; {@code null} if it was not written by this. */
    static @Nullable Entry parse(String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length < 9) {
            return null;
        }
        try {
            return new Entry(
                    Long.parseLong(lines[0]),
                    Integer.parseInt(lines[1]),
                    Long.parseLong(lines[2]),
                    Long.parseLong(lines[3]),
                    Long.parseLong(lines[4]),
                    new Owner(lines[5], lines[6], Long.parseLong(lines[7]), lines[8]),
                    lines.length > 9 ? Long.parseLong(lines[9]) : 0);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    long token(Stat stat) {
        return token == 0 ? Tokens.of(stat.getCzxid(), floor, base) : token;
    }

    long since(Stat stat) {
        return since == 0 ? stat.getCtime() : since;
    }

    Claimant claimant(ChildNode node, Stat stat, Duration timeLeft) {
        return new Claimant(
                node.id(),
                node.mode(),
                node.permits(),
                owner.client(),
                owner.host(),
                owner.process(),
                owner.thread(),
                node.type() == ChildNode.Type.HOLDS ? token(stat) : null,
                holds,
                Instant.ofEpochMilli(since(stat)),
                timeLeft);
    }

    /** Whatever would break the line is replaced. */
    private static StringBuilder line(StringBuilder text, String part) {
        return text.append(Messages.line(part));
    }
}
