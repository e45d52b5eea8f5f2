package io.holdfast.bench.scenario;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A lock that the thread already has. */
public class Reentry extends PairBenchmark {

    private @Nullable Stranger stranger;

    @Setup(Level.Iteration)
    public void enter() {
        ours().lock();
        stranger = Stranger.tryFor(strange());
    }

    /** Held until the last unlock, and not longer. */
    @TearDown(Level.Iteration)
    public void leave() throws InterruptedException {
        if (stranger != null) {
            stranger.leave();
        }
        checkHeld();
        ours().unlock();
        checkFree();
    }
}
