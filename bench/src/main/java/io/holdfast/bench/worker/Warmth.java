package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.LockClient;
import java.util.concurrent.locks.Lock;

/** Has scripts loaded and connections made before the counting, with a lock that is not measured. */
final class Warmth {

    private static final int PAIRS = 10;

    private Warmth() {}

    static void of(LockClient client, String name) {
        of(client.lock(name));
    }

    @SuppressWarnings("LockNotBeforeTry") // nothing stands between the two
    static void of(Lock lock) {
        for (int i = 0; i < PAIRS; i++) {
            lock.lock();
            lock.unlock();
        }
    }
}
