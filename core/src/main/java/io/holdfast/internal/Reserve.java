package io.holdfast.internal;

/**
 * How many tokens a lock that lingers is asked for with, each of which is for one who takes it up. More while they are used
 * up, since asking for more takes a release and a claim. Few where others ask for the lock: those that are not used are lost,
 * and a store that counts by its clock would be ahead of it by them.
 */
final class Reserve {

    static final int FEWEST = 512;
    static final int MOST = 16_384;

    private volatile int size = FEWEST;

    int size() {
        return size;
    }

    /** A claim that lingered is given back. */
    void ended(RemoteClaim claim) {
        if (claim.isAskedFor()) {
            size = FEWEST;
        } else if (!claim.hasToken()) {
            size = Math.min(MOST, size * 2);
        }
    }
}
