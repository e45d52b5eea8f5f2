package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Address;
import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.LockClient;
import io.holdfast.bench.stage.BrokenLock;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Taking a lock that the thread already has: nanoseconds for some, which is what JMH is for. */
@State(Scope.Thread)
public class Reentry {

    @Param("holdfast")
    public String contestant = "";

    @Param("redis://127.0.0.1:6379")
    public String url = "";

    @Param("reentry")
    public String name = "";

    private @Nullable Lock lock;
    private @Nullable Lock strange;

    @Setup
    public void connect() {
        // JMH's process would outlive a bench that is stopped.
        ProcessHandle.current()
                .parent()
                .ifPresent(bench ->
                        bench.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
        LockClient client = open();
        lock = client.lock(name);
        strange = open().lock(name);
    }

    private LockClient open() {
        return Contestant.of(contestant).open(Address.parse(url), Duration.ofSeconds(30), true);
    }

    @Setup(Level.Iteration)
    public void enter() {
        taken().lock();
    }

    /** Held until the last unlock, and not longer. */
    @TearDown(Level.Iteration)
    public void leave() {
        Lock other = strange;
        if (other == null || other.tryLock()) {
            throw new BrokenLock("another client took a lock that was re-entered and left");
        }
        taken().unlock();
        if (!other.tryLock()) {
            throw new BrokenLock("the lock was not free after the last unlock");
        }
        other.unlock();
    }

    @Benchmark
    @SuppressWarnings("LockNotBeforeTry") // nothing stands between the two
    public void pair() {
        Lock held = taken();
        held.lock();
        held.unlock();
    }

    private Lock taken() {
        Lock held = lock;
        if (held == null) {
            throw new IllegalStateException("not connected");
        }
        return held;
    }
}
