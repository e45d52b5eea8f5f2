package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Address;
import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.LockClient;
import io.holdfast.bench.contestant.Usage;
import io.holdfast.bench.stage.BrokenLock;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One thread that takes a lock and gives it back: nanoseconds for some, which is what JMH is for. */
@State(Scope.Thread)
public abstract class PairBenchmark {

    @Param("holdfast")
    public String contestant = "";

    @Param("redis://127.0.0.1:6379")
    public String url = "";

    @Param("lock")
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
        lock = lock(open(), name);
        strange = open().lock(name);
    }

    private LockClient open() {
        return Contestant.of(contestant).open(Address.parse(url), new Usage(Duration.ofSeconds(30), true, false));
    }

    Lock lock(LockClient client, String name) {
        return client.lock(name);
    }

    @Benchmark
    @SuppressWarnings("LockNotBeforeTry") // nothing stands between the two
    public void pair() {
        Lock ours = ours();
        ours.lock();
        ours.unlock();
    }

    final Lock ours() {
        return opened(lock);
    }

    /** The same lock as another client has it. */
    final Lock strange() {
        return opened(strange);
    }

    /** Another client must not get what is held. */
    final void checkHeld() {
        if (strange().tryLock()) {
            throw new BrokenLock("another client took a lock that was held");
        }
    }

    /** Another client gets what is not held. */
    @SuppressWarnings("LockNotBeforeTry") // nothing stands between the two
    final void checkFree() {
        Lock other = strange();
        other.lock();
        other.unlock();
    }

    private static Lock opened(@Nullable Lock lock) {
        if (lock == null) {
            throw new IllegalStateException("not connected");
        }
        return lock;
    }
}
