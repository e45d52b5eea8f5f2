package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.settles;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.StoreUnavailableException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What happens when the server goes away, for stores that have one. The binding needs a server of its own: one that it
 * can stop, and that has lost everything when it is started again, or nothing.
 */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
@ResourceLock(providers = OutageContract.OneAtATime.class) // one server for all of them
public abstract class OutageContract extends Contract {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /**
     * Outlasts every outage here, but not by much: a server that has lost everything may grant nothing for a lease, and
     * the tests share it.
     */
    private static final Duration LASTING = Duration.ofSeconds(4);

    /** The tests of a class share its server; other classes have their own. */
    public static final class OneAtATime implements ResourceLocksProvider {
        @Override
        public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> contract, Method test) {
            return Set.of(new Lock("io.holdfast.tck.server-of-" + contract.getName()));
        }
    }

    private boolean stopped;
    private boolean paused;

    /** Ends the server at once, as a crash would. */
    protected abstract void stopServer();

    /** Starts it again, with nothing in it; or with all that it had acknowledged, see {@link #keepsItsData()}. */
    protected abstract void startServer();

    /** Whether what the server has acknowledged is still there after a crash. */
    protected boolean keepsItsData() {
        return false;
    }

    /** Keeps it from answering, with its connections open. */
    protected abstract void pauseServer();

    protected abstract void resumeServer();

    /** Breaks all connections of clients to the server, which goes on. */
    protected abstract void dropConnections();

    /** The two ways in which a server can be away. */
    enum Outage {
        STOPPED,
        PAUSED
    }

    private void begin(Outage outage) {
        if (outage == Outage.STOPPED) {
            stopServer();
            stopped = true;
        } else {
            pauseServer();
            paused = true;
        }
    }

    /** A server that the test before has restarted may grant nothing for a while, and would seem to answer. */
    @BeforeEach
    final void untilItGrants() throws Exception {
        DistributedLock lock = client(SHORT).lock(name("first"));
        eventually(SOON.multipliedBy(2), () -> assertThat(lock.tryLock()).isTrue());
        try {
            lock.unlock();
        } catch (LeaseLostException e) {
            // A server that has just been started may be slow; it has granted, which is all that was asked.
        }
    }

    /** The server is back after this, whatever was wrong with it. */
    @AfterEach
    final void end() {
        if (stopped) {
            startServer();
            stopped = false;
        }
        if (paused) {
            resumeServer();
            paused = false;
        }
    }

    private Holdfast hastyClient(Duration lease) {
        return client(builder -> builder.lease(lease).timeout(TIMEOUT));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("makes every acquisition and question fail in the client's time-out, as something to try again")
    void failsInTime(Outage outage) throws Exception {
        Holdfast client = hastyClient(LASTING);
        client.lock(name()).isLocked(); // connected
        begin(outage);
        List<Future<Duration>> all = new ArrayList<>();
        for (Wait way : Wait.values()) {
            DistributedLock lock = client.lock(name(way.name()));
            all.add(failing(() -> way.take(lock, SOON, LASTING)));
        }
        DistributedLock lock = client.lock(name());
        all.add(failing(lock::tryLock));
        all.add(failing(lock::isLocked));
        all.add(failing(lock::remainTimeToLive));
        all.add(failing(lock::forceUnlock));
        all.add(failing(() -> client.inspect(name())));
        all.add(failing(() -> client.list(name())));
        for (Future<Duration> one : all) {
            assertThat(await(one)).isLessThan(TIMEOUT.plus(SLACK));
        }
    }

    private Future<Duration> failing(Actor.Step step) {
        return actor("caller").begins(() -> {
            long start = System.nanoTime();
            assertThatThrownBy(step::run)
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            e -> assertThat(e.retryable()).isTrue());
            return since(start);
        });
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("makes a short try say no in its time, and fail once nothing was answered for the client's time-out")
    void failsAShortTry(Outage outage) throws Exception {
        Holdfast client = hastyClient(LASTING);
        DistributedLock lock = client.lock(name());
        lock.isLocked();
        begin(outage);
        long start = System.nanoTime();
        assertThat(lock.tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(since(start)).isLessThan(SLACK);
        until("it fails", SOON, () -> {
            try {
                return lock.tryLock(10, TimeUnit.MILLISECONDS);
            } catch (StoreUnavailableException e) {
                return since(start).compareTo(TIMEOUT) >= 0;
            }
        });
        end();
        eventually(
                SOON, () -> assertThat(lock.tryLock(10, TimeUnit.MILLISECONDS)).isTrue());
        lock.unlock();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("has its holders told by their deadline; the same client works again when it is back")
    void tellsHolders(Outage outage) throws Exception {
        Holdfast client = hastyClient(SHORT);
        DistributedLock lock = client.lock(name());
        AtomicInteger told = new AtomicInteger();
        lock.lock();
        Lease lease = lock.lease();
        lease.onLost(lost -> told.incrementAndGet());
        Lease lasting = client.lock(name("lasting")).acquire(LASTING);
        begin(outage);
        long start = System.nanoTime();
        until("the holder is told", SOON, () -> told.get() == 1);
        assertThat(since(start)).isLessThan(SHORT.plus(SLACK));
        assertThat(lease.isValid()).isFalse();
        assertThat(lasting.isValid()).as("one whose time is not over").isTrue();
        start = System.nanoTime();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(since(start)).isLessThan(TIMEOUT.plus(SLACK));
        end();
        eventually(SOON, () -> assertThat(lock.tryLock()).isTrue());
        assertThat(lock.lease().token()).isGreaterThan(lease.token());
        assertThat(lease.isValid()).isFalse();
        Lease renewed =
                client.lock(name("renewed"), LockOptions.defaults().lease(KEPT)).acquire();
        Duration granted = renewed.remaining();
        until("time passes", SOON, () -> renewed.remaining().compareTo(granted.minusSeconds(1)) < 0);
        until("it is renewed", SOON, () -> renewed.remaining().compareTo(granted.minusMillis(500)) > 0);
        renewed.close();
        assertThat(told).as("told once").hasValue(1);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("fails those who wait in the client's time-out")
    void failsWaiters(Outage outage) throws Exception {
        client(LASTING).lock(name()).lock();
        DistributedLock lock = hastyClient(LASTING).lock(name());
        Actor bob = actor("bob");
        Future<?> waiting = bob.starts(lock::lock);
        until("bob waits", SOON, bob::isWaiting);
        Thread.sleep(50); // in the store, too
        begin(outage);
        long start = System.nanoTime();
        assertThatThrownBy(() -> await(waiting)).isInstanceOf(StoreUnavailableException.class);
        assertThat(since(start)).isLessThan(TIMEOUT.plusSeconds(1).plus(SLACK));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("and comes back in time goes unnoticed by those who wait")
    void keepsWaiters(Outage outage) throws Exception {
        // Where nothing is lost, the holder's lease has to outlast the start of the server.
        Duration lease = keepsItsData() ? KEPT.multipliedBy(2) : LASTING;
        DistributedLock held = client(lease).lock(name());
        DistributedLock lock = client(LASTING).lock(name());
        held.lock();
        Actor bob = actor("bob");
        Future<?> waiting = bob.starts(lock::lock);
        until("bob waits", SOON, bob::isWaiting);
        begin(outage);
        throughout("bob waits", Duration.ofMillis(200), () -> !waiting.isDone());
        end();
        if (outage == Outage.PAUSED || keepsItsData()) { // else there is nothing to give back
            held.unlock();
        }
        await(waiting);
        bob.does(lock::unlock);
    }

    @Test
    @DisplayName("and comes back before the lease is over goes unnoticed by the holder")
    void keepsHolders() throws Exception {
        Duration lease = KEPT;
        DistributedLock lock = client(lease).lock(name());
        lock.lock();
        Lease held = lock.lease();
        begin(Outage.PAUSED);
        throughout("it is held", lease.dividedBy(4), held::isValid);
        end();
        throughout("it is held", OUTLASTING, held::isValid);
        lock.unlock();
    }

    @Test
    @DisplayName("and comes back with a command that had been given up leaves no lock behind")
    void runsLateCommands() throws Exception {
        DistributedLock lock = client(LASTING).lock(name());
        DistributedLock other = client(LASTING).lock(name());
        assertThat(other.isLocked()).isFalse();
        assertThat(lock.isLocked()).isFalse(); // both are connected
        begin(Outage.PAUSED);
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();
        end();
        settles("nobody has it", SOON, () -> !other.isLocked());
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("makes unlock() fail in the client's time-out, and the lock ends by its lease at the latest")
    void failsUnlock(Outage outage) throws Exception {
        Duration lease = TIMEOUT.multipliedBy(3);
        DistributedLock lock = hastyClient(lease).lock(name());
        DistributedLock other = client(LASTING).lock(name());
        lock.lock();
        begin(outage);
        long start = System.nanoTime();
        assertThatThrownBy(lock::unlock).isInstanceOf(StoreUnavailableException.class);
        assertThat(since(start)).isLessThan(TIMEOUT.plus(SLACK));
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        end();
        eventually(SOON, () -> assertThat(other.tryLock()).isTrue());
        other.unlock();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Outage.class)
    @DisplayName("does not hold up the closing of a client")
    void closesInTime(Outage outage) throws Exception {
        Holdfast client = hastyClient(LASTING);
        client.lock(name()).lock();
        begin(outage);
        long start = System.nanoTime();
        client.close();
        assertThat(since(start)).isLessThan(TIMEOUT.plus(SLACK));
    }

    @Test
    @DisplayName("need not be there when a client is made")
    void comesLater() throws Exception {
        begin(Outage.STOPPED);
        Holdfast client = hastyClient(LASTING);
        DistributedLock lock = client.lock(name());
        assertThatThrownBy(lock::tryLock).isInstanceOf(StoreUnavailableException.class);
        end();
        eventually(SOON, () -> assertThat(lock.tryLock()).isTrue());
        lock.unlock();
    }

    @Test
    @DisplayName("and has kept everything gives the lock to nobody else, and the holder keeps it")
    void losesNothing() throws Exception {
        assumeTrue(keepsItsData(), "this store loses its data");
        Duration lease = KEPT.multipliedBy(2); // the server may take its time to start
        DistributedLock lock = client(lease).lock(name());
        DistributedLock other = client(LASTING).lock(name());
        other.isLocked();
        DistributedLock free = client(LASTING).lock(name("free"));
        Lease before = free.acquire();
        before.close();
        lock.lock();
        Lease held = lock.lease();
        begin(Outage.STOPPED);
        end();
        eventually(SOON, () -> assertThat(other.tryLock()).isFalse());
        throughout("it is held", lease.plusSeconds(1), () -> held.isValid() && !other.tryLock());
        lock.unlock();
        Lease next = await(actor("bob").begins(() -> other.acquire()));
        assertThat(next.token()).isGreaterThan(held.token());
        next.close();
        try (Lease after = free.acquire()) {
            assertThat(after.token()).as("of a lock that was free").isGreaterThan(before.token());
        }
    }

    @Test
    @DisplayName("and has lost everything gives no lock to two that believe in it; the first is told")
    void losesEverything() throws Exception {
        assumeFalse(keepsItsData(), "this store loses nothing");
        Duration lease = KEPT;
        DistributedLock lock = client(lease).lock(name());
        DistributedLock other = client(lease).lock(name());
        other.isLocked(); // connected, so that it can tell that something is missing afterwards
        AtomicInteger told = new AtomicInteger();
        lock.lock();
        Lease first = lock.lease();
        first.onLost(lost -> told.incrementAndGet());
        begin(Outage.STOPPED);
        end();
        Lease second = await(actor("bob").begins(() -> other.acquire()));
        assertThat(first.isValid()).as("the first, when the second is granted").isFalse();
        assertThat(second.token()).isGreaterThan(first.token());
        until("the first is told", SOON, () -> told.get() == 1);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(lock.tryLock()).isFalse();
        throughout("the second holds it", lease, second::isValid);
        second.close();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("but only breaks its connections loses no lock that is held")
    void dropsAHolder() throws Exception {
        DistributedLock lock = client(KEPT).lock(name());
        DistributedLock other = client(LASTING).lock(name());
        lock.lock();
        Lease lease = lock.lease();
        for (int i = 0; i < 5; i++) {
            dropConnections();
            throughout("it is held", OUTLASTING.dividedBy(5), () -> {
                assertThat(lease.isValid()).as("the holder has it").isTrue();
                return !other.tryLock();
            });
        }
        lock.unlock();
        assertThat(other.tryLock()).isTrue();
    }

    @Test
    @DisplayName("but only breaks its connections still wakes those who wait")
    void dropsAWaiter() throws Exception {
        DistributedLock lock = client(LASTING).lock(name());
        DistributedLock other = client(LASTING).lock(name());
        Actor bob = actor("bob");
        for (int i = 0; i < 3; i++) {
            lock.lock();
            Future<?> waiting = bob.starts(other::lock);
            until("bob waits", SOON, bob::isWaiting);
            Thread.sleep(20); // in the store, too
            dropConnections();
            throughout("bob waits", Duration.ofMillis(100), () -> !waiting.isDone());
            lock.unlock();
            await(waiting);
            bob.does(other::unlock);
        }
    }

    @Test
    @DisplayName("but only breaks its connections, again and again, lets nobody in twice and nobody down")
    void dropsTheBusy() throws Exception {
        RacyCounter counter = new RacyCounter();
        AtomicInteger expected = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        long end = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
        for (int c = 0; c < 3; c++) {
            Holdfast client = client(LASTING);
            for (int t = 0; t < 2; t++) {
                all.add(actor("c" + c + "t" + t).starts(() -> {
                    DistributedLock lock = client.lock(name());
                    while (System.nanoTime() - end < 0) {
                        lock.lock();
                        try {
                            counter.increment();
                            expected.incrementAndGet();
                        } finally {
                            lock.unlock();
                        }
                    }
                }));
            }
        }
        while (System.nanoTime() - end < 0) {
            dropConnections();
            Thread.sleep(50);
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(expected.get());
    }
}
