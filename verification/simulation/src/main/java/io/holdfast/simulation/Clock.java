package io.holdfast.simulation;

/**
 * A monotonic clock that runs a little too fast or too slow against the world's, and counts from anywhere.
 *
 * @param offset what it shows when the world begins; may be so high that it overflows on the way
 * @param drift how much faster it runs than the world's, in millionths
 */
record Clock(long offset, long drift) {

    private static final long MILLION = 1_000_000;

    /** Longer than any world lasts. */
    private static final long FOREVER = 86_400 * Time.SECOND;

    long at(long world) {
        return offset + world + world * drift / MILLION;
    }

    /** The first moment of the world at which this clock has gone on by {@code local}: a timer is never early. */
    long after(long world, long local) {
        if (local >= FOREVER) {
            return world + FOREVER;
        }
        long due = at(world) + local;
        long then = world + local * MILLION / (MILLION + drift) - 2;
        while (then < world || at(then) - due < 0) {
            then++;
        }
        return then;
    }
}
