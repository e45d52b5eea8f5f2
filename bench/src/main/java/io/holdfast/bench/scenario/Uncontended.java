package io.holdfast.bench.scenario;

import java.util.concurrent.locks.Lock;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.TearDown;

/** An uncontended lock, as long as JMH looks at the clock. */
public class Uncontended extends PairBenchmark {

    /** Then another client tries it. */
    @TearDown(Level.Iteration)
    @SuppressWarnings("LockNotBeforeTry") // a check that fails ends the process
    public void check() {
        Lock ours = ours();
        ours.lock();
        checkHeld();
        ours.unlock();
        checkFree();
    }
}
