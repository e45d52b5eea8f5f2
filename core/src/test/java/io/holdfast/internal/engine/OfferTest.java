package io.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayName("A lock that is given back while the next thread sleeps")
@Timeout(60)
@Isolated("compares the shares of threads")
class OfferTest {

    private static final int THREADS = 8;

    private final Holdfast client = Holdfast.connect("memory:");
    private final DistributedLock lock = client.lock("a");
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Not safe by itself: two at once lose counts. */
    private int counter;

    @BeforeEach
    void warmUp() {
        for (int i = 0; i < 20_000; i++) {
            lock.lock();
            lock.unlock();
        }
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        client.close();
    }

    @Test
    @DisplayName("may be had by another one until that is awake")
    void isHadMeanwhile() throws Exception {
        boolean wentFirst = false;
        for (int i = 0; i < 10_000 && !wentFirst; i++) {
            wentFirst = goesFirst();
        }
        assertThat(wentFirst).isTrue();
    }

    /** Whether a thread that has just left could have the lock again before one that sleeps and waits for it. */
    private boolean goesFirst() throws InterruptedException {
        AtomicBoolean wentFirst = new AtomicBoolean();
        int[] served = new int[1]; // touched by whoever has the lock
        List<Thread> sleepers = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < 3; i++) {
            Thread sleeper = new Thread(() -> {
                lock.lock();
                served[0]++;
                lock.unlock();
                if (lock.tryLock()) {
                    wentFirst.compareAndSet(false, served[0] < 3);
                    lock.unlock();
                }
            });
            sleepers.add(sleeper);
            sleeper.start();
            while (!isAsleep(sleeper)) {
                Thread.onSpinWait();
            }
        }
        lock.unlock();
        for (Thread sleeper : sleepers) {
            sleeper.join();
        }
        return wentFirst.get();
    }

    private static boolean isAsleep(Thread thread) {
        return thread.getState() == Thread.State.WAITING;
    }

    @Test
    @DisplayName(
            "is never had by two, is not forgotten, and everybody gets on, whoever is interrupted or has no more time")
    void isHadByOneAtATime() throws Exception {
        int each = 20_000;
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            boolean patient = i % 2 == 0;
            all.add(threads.submit(() -> {
                start.await();
                return use(each, patient);
            }));
        }
        start.countDown();
        int expected = 0;
        for (Future<Integer> one : all) {
            int had = one.get();
            expected += had;
            assertThat(had).isPositive();
        }
        lock.lock();
        assertThat(counter).isEqualTo(expected);
        lock.unlock();
        assertThat(client.inspect("a").holders()).isEmpty();
        assertThat(client.inspect("a").waiters()).isEmpty();
    }

    private int use(int times, boolean patient) {
        int had = 0;
        for (int i = 0; i < times; i++) {
            boolean got = true;
            if (patient) {
                lock.lock();
            } else {
                got = triedFor(Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, 200_000)));
            }
            if (got) {
                counter++;
                had++;
                lock.unlock();
            }
        }
        return had;
    }

    private boolean triedFor(Duration time) {
        boolean interrupted = ThreadLocalRandom.current().nextInt(100) == 0;
        try {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return lock.tryLock(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    @DisplayName("comes to every thread about as often as to any other")
    void isShared() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(threads.submit(() -> {
                int had = 0;
                while (System.nanoTime() < end) {
                    lock.lock();
                    had++;
                    lock.unlock();
                }
                return had;
            }));
        }
        List<Integer> shares = new ArrayList<>();
        for (Future<Integer> one : all) {
            shares.add(one.get());
        }
        int sum = shares.stream().mapToInt(Integer::intValue).sum();
        assertThat(shares).allSatisfy(share -> assertThat(share).isGreaterThan(sum / THREADS / 10));
    }
}
