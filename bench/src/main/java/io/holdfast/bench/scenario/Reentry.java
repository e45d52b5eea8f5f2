package io.holdfast.bench.scenario;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A lock that the thread already has. */
public class Reentry extends PairBenchmark {

    @Setup(Level.Iteration)
    public void enter() {
        ours().lock();
    }

    /** Held until the last unlock, and not longer. */
    @TearDown(Level.Iteration)
    public void leave() {
        checkHeld();
        ours().unlock();
        checkFree();
    }
}
