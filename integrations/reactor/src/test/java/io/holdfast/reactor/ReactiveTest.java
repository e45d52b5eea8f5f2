package io.holdfast.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import reactor.blockhound.BlockHound;

/** Two clients of one store in memory, and a look at the store from outside. No thread of Reactor may block in any of these tests. */
@Timeout(60)
abstract class ReactiveTest {

    static final Duration SOON = Duration.ofSeconds(20);

    final String name = "reactor:" + UUID.randomUUID();
    final Holdfast holdfast = Holdfast.connect("memory:" + name);
    final Holdfast other = Holdfast.connect("memory:" + name);

    // Classes run beside each other, and each has to wait until all threads are watched: so as this one is initialised.
    static {
        BlockHound.install(builder -> builder
                // Reads /dev/urandom, which never waits.
                .allowBlockingCallsInside("io.holdfast.internal.engine.SystemNonces", "next")
                // A critical section of some instructions is no wait for anything outside the process.
                .allowBlockingCallsInside("java.util.concurrent.locks.ReentrantLock", "lock"));
    }

    @AfterEach
    final void close() {
        holdfast.close();
        other.close();
    }

    final int holders() {
        return other.inspect(name).holders().size();
    }

    final int waiters() {
        return other.inspect(name).waiters().size();
    }

    final void isFree() throws Exception {
        until(() -> holders() == 0 && waiters() == 0);
    }

    static void until(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("not in time").isLessThan(deadline);
            Thread.sleep(2);
        }
    }
}
