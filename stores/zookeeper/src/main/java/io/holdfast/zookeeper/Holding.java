package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.data.Stat;

/**
 * What this process knows of a claim that holds, so that it can be renewed and released in one round trip. It is a hint:
 * whether the claim still holds is what the node says.
 */
final class Holding {

    final String line;
    final ChildNode node;
    final long token;

    /** Whether its node was the only one of the name, which it had made, when it was granted. */
    final boolean alone;

    private final long floor;
    private final long base;
    private final long exactToken;
    private final long since;

    // How long it was last promised to last, and from when that counts.
    private long promisedNanos;
    private long promisedAt;
    private boolean confirmed;

    // Writes of the node that may still come, and the least that one of them promises.
    private int unanswered;
    private long leastUnanswered = Long.MAX_VALUE;

    private Holding(
            String line,
            ChildNode node,
            long token,
            boolean alone,
            long floor,
            long base,
            long exactToken,
            long since,
            long nanos) {
        this.line = line;
        this.node = node;
        this.token = token;
        this.alone = alone;
        this.floor = floor;
        this.base = base;
        this.exactToken = exactToken;
        this.since = since;
        this.promisedNanos = nanos;
    }

    static Holding granted(
            String line, ChildNode node, long token, boolean alone, long floor, long base, Duration lease, long now) {
        Holding holding = new Holding(line, node, token, alone, floor, base, 0, 0, lease.toNanos());
        holding.confirmed(holding.promisedNanos, now);
        return holding;
    }

    /** One that was found at the store, where it lasts for that long at most. */
    static Holding found(String line, ChildNode node, Entry entry, Stat stat, long nanosLeft) {
        return new Holding(
                line,
                node,
                entry.token(stat),
                false,
                entry.floor(),
                entry.base(),
                entry.token(),
                entry.since(),
                Math.max(0, nanosLeft));
    }

    /** The same claim in another node, from which its token and its age can't be told any more. */
    Holding in(ChildNode other) {
        return new Holding(line, other, token, false, floor, base, token, since, promisedNanos);
    }

    String path() {
        return line + "/" + node.name();
    }

    /**
     * How long the claim is to last from now: as it asks for, but never less than it was promised before.
     *
     * @return in nanoseconds
     */
    synchronized long promise(Duration lease, long now) {
        long before = confirmed ? promisedNanos - (now - promisedAt) : promisedNanos;
        promisedNanos = Math.max(lease.toNanos(), before);
        confirmed = false; // until the answer it counts in full
        return promisedNanos;
    }

    /** The store has it, so that what was promised counts from now at the latest. */
    synchronized void confirmed(long nanos, long now) {
        if (nanos == promisedNanos) {
            promisedAt = now;
            confirmed = true;
        }
    }

    /**
     * Whether a write that was sent and not answered promises less. Writes of two connections need not come in order, and if it
     * came after this one, the claim would end sooner than promised.
     */
    synchronized boolean isOutgrownBy(long nanos) {
        return nanos > leastUnanswered;
    }

    /** A write of its node that promises so much is sent. */
    synchronized void sent(long nanos) {
        unanswered++;
        leastUnanswered = Math.min(leastUnanswered, nanos);
    }

    /** One of them has run, or was refused. */
    synchronized void answered() {
        if (--unanswered == 0) {
            leastUnanswered = Long.MAX_VALUE;
        }
    }

    /** What its node is to hold. */
    Entry entry(Claim claim, long nanos) {
        return new Entry(millis(nanos), claim.holds(), floor, exactToken, since, claim.owner(), base);
    }

    /** Rounded up: a claim never ends earlier than it was promised. */
    static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
    }
}
