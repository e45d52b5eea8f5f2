package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;

/**
 * Fencing tokens. A grant is one transaction, and its number (zxid) is greater than those of all before it, whatever was
 * deleted in between. It is shifted to make room for the tokens that one grant reserves; 51 bits are left for it, which
 * are half a million elections of a leader.
 *
 * <p>A grant that reserves more than fit leaves a <em>floor</em> beside the claims of its name when it ends: the token from
 * which on the next one may count. It goes when the transactions have passed it.
 */
final class Tokens {

    private static final int BITS = 12;

    /** As many tokens as a grant has without leaving a floor. */
    static final int ROOM = 1 << BITS;

    private Tokens() {}

    /** The first token of a grant. */
    static long of(long zxid, long floor) {
        return Math.max(ofTransaction(zxid), floor);
    }

    /** Whether every grant after that transaction is above the floor anyway. */
    static boolean isPassed(long floor, long zxid) {
        return ofTransaction(zxid) >= floor;
    }

    private static long ofTransaction(long zxid) {
        if (zxid <= 0 || zxid >>> (Long.SIZE - 1 - BITS) != 0) {
            throw new StoreRefusedException(
                    "The transaction number 0x" + Long.toHexString(zxid)
                            + " of this ensemble is too large to make a fencing token of: it has had more than half a"
                            + " million elections. Move the locks to another ensemble, or another store",
                    false);
        }
        return zxid << BITS;
    }
}
