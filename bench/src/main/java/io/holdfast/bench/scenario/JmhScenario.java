package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.BrokenLock;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.stage.WorkerFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Taking a lock and giving it back in one thread; measured by JMH, in a JVM that JMH starts. */
record JmhScenario(
        String id, String title, String about, Class<? extends PairBenchmark> benchmark, Set<Contestant> contestants)
        implements Scenario {

    private static final Metric PAIRS =
            Metric.more("pairs", "lock + unlock per second", Unit.PER_SECOND).asHeadline();
    private static final Metric ALLOCATED = Metric.less("allocated", "bytes allocated per pair", Unit.BYTES);

    /** After each, another client looks whether the lock is what it should be. */
    private static int iterations(Pace pace) {
        return pace.quick() ? 1 : 3;
    }

    private static final TimeValue PATIENCE = TimeValue.seconds(60);

    @Override
    public List<Metric> metrics() {
        return List.of(PAIRS, ALLOCATED);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return contestants.contains(contestant);
    }

    @Override
    public boolean varies() {
        return false;
    }

    @Override
    public double seconds(Pace pace) {
        return pace.warmUp() + iterations(pace) * pace.seconds() + 2;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException {
        stage.clear();
        Path log = stage.file("jmh");
        Options options = new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\.pair$")
                .param("contestant", contestant.id())
                .param("url", stage.url())
                .param("name", stage.names() + id)
                .jvmArgs(stage.pace().jvmArguments().toArray(String[]::new))
                .forks(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(Math.round(stage.pace().warmUp() * 1_000)))
                .measurementIterations(iterations(stage.pace()))
                .measurementTime(TimeValue.milliseconds(Math.round(stage.pace().seconds() * 1_000)))
                .timeout(PATIENCE)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .output(log.toString())
                .build();
        try {
            return sample(new Runner(options).run());
        } catch (RunnerException e) {
            String said = Files.readString(log);
            String why = said.lines()
                    .filter(line -> line.contains("Exception") || line.contains(BrokenLock.class.getName()))
                    .findFirst()
                    .orElse(String.valueOf(e.getMessage()))
                    .strip();
            if (why.contains(BrokenLock.class.getName())) {
                throw new BrokenLock(why.substring(why.indexOf(':') + 1).strip());
            }
            throw new WorkerFailure(why);
        }
    }

    private static Sample sample(Collection<RunResult> results) {
        RunResult result = results.iterator().next();
        Sample sample = Sample.of(PAIRS, result.getPrimaryResult().getScore());
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return allocated == null ? sample : sample.put(ALLOCATED, allocated.getScore());
    }
}
