package io.holdfast.simulation;

import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Runs worlds. */
public final class Simulation {

    /**
     * How a run went.
     *
     * @param seed what made it
     * @param violation what must not have happened, or {@code null}
     * @param tally what did
     * @param events how many events there were
     * @param simulatedNanos how long it took in the world
     * @param trace what happened, in words, if that was asked for
     */
    public record Result(
            long seed,
            @Nullable Violation violation,
            Tally tally,
            long events,
            long simulatedNanos,
            List<String> trace) {}

    private Simulation() {}

    public static Result run(long seed) {
        return run(seed, false);
    }

    public static Result runTraced(long seed) {
        return run(seed, true);
    }

    /** From a seed to what is wrong with it, in words, or to nothing: for whoever runs another copy of these classes. */
    public static LongFunction<String> verdicts() {
        return seed -> Objects.toString(run(seed).violation(), "");
    }

    private static Result run(long seed, boolean traced) {
        World world = new World(seed, traced);
        world.run();
        return new Result(
                seed, world.oracle.violation(), world.tally, world.events(), world.now(), world.trace.lines());
    }
}
