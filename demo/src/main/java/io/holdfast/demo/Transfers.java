package io.holdfast.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** A worker moves money between two accounts at a time, under the locks of both. */
final class Transfers {

    private final SharedData data;
    private final Function<String, DistributedLock> locks;

    Transfers(SharedData data, Function<String, DistributedLock> locks) {
        this.data = data;
        this.locks = locks;
    }

    void run(Duration duration) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long end = System.nanoTime() + duration.toNanos();
        long made = 0;
        for (; System.nanoTime() < end; made++) {
            int from = random.nextInt(SharedData.ACCOUNTS);
            int to = (from + random.nextInt(1, SharedData.ACCOUNTS)) % SharedData.ACCOUNTS;
            // Other workers name the same two in the other order; a multi-lock does not deadlock by that.
            DistributedLock both = Holdfast.multiLock(lock(from), lock(to));
            try (Lease lease = both.acquire()) {
                data.move(from, to, random.nextInt(1, 100));
            }
        }
        Report.say("done", made);
    }

    private DistributedLock lock(int account) {
        return locks.apply("account-lock-" + account);
    }
}
