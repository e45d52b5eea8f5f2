package io.holdfast.tck;

import static io.holdfast.tck.Eventually.settles;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever goes wrong, nothing is left behind. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LeakContract extends Contract {

    static Stream<Wait> timedWaits() {
        return Stream.of(Wait.values()).filter(way -> way.name().startsWith("TRY_"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("timedWaits")
    @DisplayName("by a wait that timed out")
    void byTimeOut(Wait way) throws Exception {
        String name = name();
        Holdfast holder = client();
        Holdfast waiting = client();
        Lease lease = holder.lock(name).acquire();
        for (int millis = 0; millis < 60; millis += 20) {
            Duration wait = Duration.ofMillis(millis);
            assertThatThrownBy(() -> way.take(waiting.lock(name), wait, LONG)).isInstanceOf(TimeoutException.class);
        }
        lease.close();
        settles("nobody has it", SOON, () -> !holder.inspect(name).isLocked());
        assertThat(holder.inspect(name).waiters()).isEmpty();
    }

    @Test
    @DisplayName("by waits that time out just when they are granted")
    void byTimeOutAtTheGrant() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock waiting = client().lock(name);
        Actor bob = actor("bob");
        for (int i = 0; i < 30; i++) {
            lock.lock();
            Future<?> tried = bob.starts(() -> {
                if (waiting.tryLock(5, TimeUnit.MILLISECONDS)) {
                    waiting.unlock();
                }
            });
            Thread.sleep(4 + i % 3);
            lock.unlock();
            await(tried);
        }
        settles("nobody has it", SOON, () -> !lock.isLocked());
    }

    @Simulated
    @Test
    @DisplayName("in the client by many names that were taken once each: neither the names nor watches on them")
    void byManyNamesInTheClient() throws Exception {
        CountingStore counted = new CountingStore(newStore());
        Holdfast client = client(counted, LONG);
        Holdfast other = client();
        List<WeakReference<String>> names = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String name = new String(name("weak:" + i)); // an object without another reference
            DistributedLock lock = client.lock(name);
            if (i % 10 == 0) {
                CompletableFuture<Lease> waiting;
                try (Lease held = other.lock(name("weak:" + i)).acquire()) {
                    waiting = lock.acquireAsync();
                    assertThat(await(lock.tryLockAsync(5, TimeUnit.MILLISECONDS)))
                            .isFalse();
                    assertThat(held.isValid()).isTrue();
                }
                await(waiting).close();
            } else {
                lock.lock();
                lock.unlock();
            }
            names.add(new WeakReference<>(name));
        }
        // A watch is kept for a while, for the next waiter. A few names may be on a stack or in a timer.
        until("the watches are gone", SOON.multipliedBy(2), () -> counted.watches() == 0);
        until("the names are forgotten", SOON, () -> {
            System.gc();
            return names.stream().filter(name -> name.get() != null).count() < 10;
        });
    }
}
