package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.holdfast.simulation.Simulation.Result;
import io.holdfast.simulation.Tally.What;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the engine through thousands of worlds: {@code -Dholdfast.seeds} of them, beginning with {@code -Dholdfast.from}. By
 * default they are always the same ones, so that a build that passes passes again.
 */
class SimulationTest {

    private static final long FROM = Long.getLong("holdfast.from", 0);
    private static final long SEEDS = Long.getLong("holdfast.seeds", 10_000);

    private static final int LINES_TOLD = 80;

    private final AtomicReference<Tally> tally = new AtomicReference<>(new Tally());
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong simulated = new AtomicLong();

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS) // the build has a limit of its own
    @DisabledIfSystemProperty(named = "holdfast.seed", matches = ".+")
    @DisplayName("the engine keeps its promises whatever the network, the store, the clocks and the callers do")
    void everySeed() {
        long begin = System.nanoTime();
        LongStream.range(FROM, FROM + SEEDS)
                .parallel() // each world has a thread to itself
                .mapToObj(Simulation::run)
                .peek(this::count)
                .filter(result -> result.violation() != null)
                .findFirst()
                .ifPresent(result -> fail(story(result)));
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%,d worlds, %,d events, %,d simulated hours in %.1f s (%,.0f worlds a second)%n%s",
                SEEDS,
                events.get(),
                simulated.get() / 3_600 / Time.SECOND,
                seconds,
                SEEDS / seconds,
                tally.get());
        if (SEEDS >= 10_000) {
            assertThat(What.values())
                    .allSatisfy(what -> assertThat(tally.get().of(what)).isPositive());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "holdfast.seed", matches = ".+")
    @DisplayName("one seed, with everything that happens")
    void oneSeed() {
        Result result = Simulation.runTraced(Long.getLong("holdfast.seed"));
        result.trace().forEach(System.out::println);
        if (result.violation() != null) {
            fail(result.violation().toString());
        }
    }

    @Test
    @DisplayName("a seed replays exactly")
    void deterministic() {
        for (long seed = FROM; seed < FROM + 100; seed++) {
            Result first = Simulation.runTraced(seed);
            assertThat(Simulation.runTraced(seed).trace()).as("seed %d", seed).isEqualTo(first.trace());
            assertThat(Simulation.run(seed).events())
                    .as("seed %d without its trace", seed)
                    .isEqualTo(first.events());
        }
    }

    private void count(Result result) {
        tally.accumulateAndGet(result.tally(), Tally::plus);
        events.addAndGet(result.events());
        simulated.addAndGet(result.simulatedNanos());
    }

    private static String story(Result failed) {
        List<String> trace = Simulation.runTraced(failed.seed()).trace();
        return "seed " + failed.seed() + ": " + failed.violation()
                + "\nAll of it: ./mvnw -pl verification/simulation -am test -Dtest=SimulationTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dholdfast.seed=" + failed.seed()
                + "\n" + trace.get(0) + "\n…\n"
                + String.join("\n", trace.subList(Math.max(1, trace.size() - LINES_TOLD), trace.size()));
    }
}
