package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.holdfast.simulation.Simulation.Result;
import io.holdfast.simulation.Tally.What;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final long FROM = Long.getLong("holdfast.from", 0);
    private static final long SEEDS = Long.getLong("holdfast.seeds", 10_000);

    @Test
    @DisplayName("the engine keeps its promises whatever the network, the store, the clocks and the callers do")
    void everySeed() {
        Long only = Long.getLong("holdfast.seed");
        if (only != null) {
            Result result = Simulation.runTraced(only);
            result.trace().forEach(System.out::println);
            if (result.violation() != null) {
                fail(result.violation().toString());
            }
            return;
        }
        AtomicReference<Tally> tally = new AtomicReference<>(new Tally());
        AtomicLong events = new AtomicLong();
        AtomicLong simulated = new AtomicLong();
        long begin = System.nanoTime();
        Optional<Result> failed = LongStream.range(FROM, FROM + SEEDS)
                .parallel()
                .mapToObj(Simulation::run)
                .peek(result -> {
                    tally.accumulateAndGet(result.tally(), Tally::plus);
                    events.addAndGet(result.events());
                    simulated.addAndGet(result.simulatedNanos());
                })
                .filter(result -> result.violation() != null)
                .findFirst();
        failed.ifPresent(SimulationTest::tell);
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                "%,d worlds, %,d events, %,d simulated hours in %.1f s (%,.0f worlds a second)%n%s",
                SEEDS, events.get(), simulated.get() / 3_600_000_000_000L, seconds, SEEDS / seconds, tally.get());
        if (SEEDS >= 10_000) {
            assertThat(What.values())
                    .allSatisfy(what -> assertThat(tally.get().of(what)).isPositive());
        }
    }

    private static void tell(Result failed) {
        List<String> trace = Simulation.runTraced(failed.seed()).trace();
        StringBuilder text = new StringBuilder("seed " + failed.seed() + ": " + failed.violation() + "\n");
        text.append("again, with all of its trace: ./mvnw -pl verification/simulation -am test -Dtest=SimulationTest")
                .append(" -Dsurefire.failIfNoSpecifiedTests=false -Dholdfast.seed=")
                .append(failed.seed())
                .append("\n")
                .append(trace.get(0))
                .append("\n…\n");
        trace.subList(Math.max(1, trace.size() - 80), trace.size())
                .forEach(line -> text.append(line).append("\n"));
        fail(text.toString());
    }

    @Test
    @DisplayName("a seed replays exactly")
    void deterministic() {
        for (long seed = FROM; seed < FROM + 100; seed++) {
            Result first = Simulation.runTraced(seed);
            Result second = Simulation.runTraced(seed);
            assertThat(second.trace()).as("seed %d", seed).isEqualTo(first.trace());
            assertThat(Simulation.run(seed).events())
                    .as("seed %d without trace", seed)
                    .isEqualTo(first.events());
        }
    }
}
