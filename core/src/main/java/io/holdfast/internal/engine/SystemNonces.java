package io.holdfast.internal.engine;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Nonces of the operating system, each read when it is asked for.
 *
 * <p>Nothing in the memory of this process decides them: two copies of it go on from the same memory, so a generator with
 * a state, and numbers that were read in advance, would be the same in both. {@link SecureRandom#nextBytes} has both. The
 * time is mixed in for copies of a whole machine whose system does not notice that it was copied.
 */
final class SystemNonces implements Nonces {

    private static final long LEAST = 1_000_000_000_000_000_000L;
    private static final long RANGE = Long.MAX_VALUE - LEAST;

    /** The golden ratio, which spreads the nanoseconds over all bits. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final SecureRandom system = system();

    /** The one whose seed is read without waiting for entropy, where there is such a one. */
    private static SecureRandom system() {
        try {
            return SecureRandom.getInstance("NativePRNGNonBlocking");
        } catch (NoSuchAlgorithmException e) { // on Windows; its seed comes from the system as well
            return new SecureRandom();
        }
    }

    @Override
    public long next() {
        // The seed and not the random bytes: it is read from the system each time, and nothing of it is kept.
        long random = ByteBuffer.wrap(system.generateSeed(Long.BYTES)).getLong();
        long time = System.nanoTime() * SPREAD;
        return LEAST + Long.remainderUnsigned(random ^ time, RANGE);
    }
}
