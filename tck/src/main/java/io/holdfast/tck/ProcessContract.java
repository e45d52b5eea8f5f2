package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Locks between real processes, which die and stand still in the middle. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class ProcessContract extends AcrossProcesses {

    @Essential
    @Test
    @DisplayName("a lock is held by one thread of one process at a time")
    void excludes() throws Exception {
        int processes = 4;
        int threads = 2;
        int rounds = 50;
        RacyFile counter = RacyFile.create(directory.resolve("counter"));
        List<WorkerProcess> all = workers(processes, LONG);
        for (WorkerProcess one : all) {
            one.tell("count " + name() + " " + counter.file() + " " + threads + " " + rounds);
        }
        for (WorkerProcess one : all) {
            one.expect("counted");
        }
        assertThat(counter.first()).isEqualTo(processes * threads * rounds);
    }

    @Essential
    @Test
    @DisplayName("the lock of a process that was killed goes to the next one within its lease, with a greater token")
    void survivesKill() throws Exception {
        WorkerProcess holder = worker(LEASE);
        DistributedLock lock = client().lock(name());
        long token = holder.lock(name());
        assertThat(lock.tryLock()).isFalse();
        holder.kill();
        takesOver(lock, token);
    }

    @Test
    @DisplayName("the lock of a process that ended without unlocking goes to the next one within its lease")
    void survivesExit() throws Exception {
        WorkerProcess holder = worker(LEASE);
        DistributedLock lock = client().lock(name());
        long token = holder.lock(name());
        assertThat(lock.tryLock()).isFalse();
        holder.tell("exit");
        holder.awaitExit();
        takesOver(lock, token);
    }

    private static void takesOver(DistributedLock lock, long token) throws Exception {
        long start = System.nanoTime();
        assertThat(lock.tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(since(start)).isLessThan(LEASE.plus(A_BIT));
        assertThat(lock.lease().token()).isGreaterThan(token);
        lock.unlock();
    }

    @Test
    @DisplayName("a holder that is paused past its lease is told so as soon as it goes on")
    void tellsAPausedHolder() throws Exception {
        WorkerProcess holder = worker(LEASE);
        DistributedLock lock = client().lock(name());
        long token = holder.lock(name());
        holder.pause();
        takesOver(lock, token);
        lock.lock();
        holder.tell("held " + name()); // the first thing that it does when it goes on
        holder.resume();
        holder.expect("not-held");
        holder.expect("told");
        assertThat(holder.ask("unlock " + name(), "lost")).isEqualTo("lost");
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.isLocked()).isTrue();
        throughout("it is told once", Duration.ofMillis(50), () -> !holder.hasSaid("told"));
        lock.unlock();
        assertThat(holder.lock(name())).isGreaterThan(token);
    }

    @Test
    @DisplayName("a holder that is paused for less than its lease keeps the lock")
    void keepsABrieflyPausedHolder() throws Exception {
        Duration lease = LEASE.multipliedBy(2);
        WorkerProcess holder = worker(lease);
        DistributedLock lock = client().lock(name());
        holder.lock(name());
        holder.pause();
        throughout("it is held", lease.dividedBy(4), () -> !lock.tryLock());
        holder.resume();
        throughout("it is held", lease, () -> !lock.tryLock());
        assertThat(holder.ask("unlock " + name(), "unlocked")).isEqualTo("unlocked");
        assertThat(lock.tryLock()).isTrue();
    }

    @Test
    @DisplayName("a waiter that is paused does not hold up the others, and gets its turn when it goes on")
    void doesNotWaitForAPausedWaiter() throws Exception {
        WorkerProcess waiter = worker(LEASE);
        Holdfast client = client();
        DistributedLock lock = client.lock(name());
        DistributedLock other = client().lock(name());
        lock.lock();
        waiter.tell("lock " + name());
        waiter.expect("waiting");
        waiter.pause();
        lock.unlock();
        // What it had sent before it was stopped may still have been granted, for a lease.
        assertThat(other.tryLock(LEASE.plus(A_BIT).toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(waiter.hasSaid("granted")).isFalse();
        waiter.resume();
        other.unlock();
        waiter.expect("granted ");
        assertThat(waiter.ask("unlock " + name(), "unlocked")).isEqualTo("unlocked");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("a waiter that was killed leaves nothing in the way")
    void forgetsAKilledWaiter() throws Exception {
        WorkerProcess waiter = worker(LEASE);
        DistributedLock lock = client().lock(name());
        lock.lock();
        waiter.tell("lock " + name());
        waiter.expect("waiting");
        waiter.kill();
        lock.unlock();
        DistributedLock other = client().lock(name());
        assertThat(other.tryLock(LEASE.plus(A_BIT).toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        other.unlock();
    }

    @Test
    @DisplayName("who holds a lock, and in which process, is seen from all")
    void seesTheProcess() throws Exception {
        WorkerProcess holder = worker(LONG);
        long token = holder.lock(name());
        Holdfast client = client();
        assertThat(client.inspect(name()).holders()).singleElement().satisfies(seen -> {
            assertThat(seen.process()).isEqualTo(holder.pid());
            assertThat(seen.token()).isEqualTo(token);
        });
        assertThat(client.forceUnlock(name())).isTrue();
        until("it is free", SOON, () -> !client.lock(name()).isLocked());
    }
}
