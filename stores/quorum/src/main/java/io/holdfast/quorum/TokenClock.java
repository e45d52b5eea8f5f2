package io.holdfast.quorum;

import java.util.concurrent.TimeUnit;

/**
 * Guesses a token that is a little ahead of what every node would give by itself, so that all of them give this one and
 * need not be made to agree afterwards. A bad guess costs a round trip and nothing else.
 */
final class TokenClock {

    private static final long AHEAD_MICROS = 1_000;

    private volatile long offset;
    private volatile boolean known;

    long guess(long nanos) {
        return known ? Math.max(0, micros(nanos) + offset) : 0;
    }

    /** The nodes did not agree, and this was the greatest that one of them gave. */
    void learn(long token, long nanos) {
        offset = token + AHEAD_MICROS - micros(nanos);
        known = true;
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
