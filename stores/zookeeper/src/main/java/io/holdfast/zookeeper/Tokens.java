package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;

/**
 * Fencing tokens. A grant is one transaction, and its number (zxid) is greater than that of any earlier one, whatever was
 * deleted in between. It is shifted to make room for as many tokens as most grants reserve; what is left of the 53 bits
 * that a token may have is enough for 32,000 elections of a leader.
 *
 * <p>A grant that reserves more than fit leaves a <em>floor</em> beside the claims of its name when it ends: the token from
 * which on the next one may count. It goes when the transactions have passed it.
 */
final class Tokens {

    private static final int BITS = 6;

    /** As many tokens as a grant has without leaving a floor. */
    static final int ROOM = 1 << BITS;

    /** The greatest token of a grant; those of a large grant of it have room below 2^53 as well. */
    private static final long LAST = (1L << 53) - (1L << 32);

    private Tokens() {}

    /**
     * The first token of a grant.
     *
     * @param base what the grant counted from, see {@link TokenBase}
     */
    static long of(long zxid, long floor, long base) {
        return Math.max(ofTransaction(zxid, base), floor);
    }

    /** Whether every grant after that transaction is above the floor anyway. */
    static boolean isPassed(long floor, long zxid, long base) {
        return ofTransaction(zxid, base) >= floor;
    }

    private static long ofTransaction(long zxid, long base) {
        if (zxid <= 0 || zxid > (LAST - base) >> BITS) {
            throw new StoreRefusedException(
                    "The transaction number 0x" + Long.toHexString(zxid)
                            + " of this ensemble is too large to make a fencing token of, above "
                            + base
                            + ": it has had tens of thousands of elections. Move the locks to another ensemble, or another store",
                    false);
        }
        return (zxid << BITS) + base;
    }
}
