package io.holdfast.bench.scenario;

import io.holdfast.bench.stage.BrokenLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Another client that tries for a lock which is held all the time, rarely enough to cost next to nothing. */
final class Stranger {

    private static final long EVERY_MILLIS = 50;

    private final Lock lock;
    private final Thread thread;
    private volatile boolean leaves;
    private volatile boolean gotIt;

    private Stranger(Lock lock) {
        this.lock = lock;
        this.thread = new Thread(this::tryAgainAndAgain, "bench-stranger");
        thread.setDaemon(true);
    }

    static Stranger tryFor(Lock lock) {
        Stranger stranger = new Stranger(lock);
        stranger.thread.start();
        return stranger;
    }

    private void tryAgainAndAgain() {
        try {
            while (!leaves && !gotIt) {
                gotIt = lock.tryLock();
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @throws BrokenLock if it ever got the lock */
    void leave() throws InterruptedException {
        leaves = true;
        thread.join();
        if (gotIt) {
            throw new BrokenLock("another client took a lock that was held");
        }
    }
}
