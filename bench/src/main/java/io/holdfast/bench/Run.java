package io.holdfast.bench;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.report.Progress;
import io.holdfast.bench.report.Results;
import io.holdfast.bench.report.Terminal;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Unit;
import io.holdfast.bench.stage.BrokenLock;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.stage.WorkerFailure;
import java.io.IOException;

/** One after the other: every scenario, in it every round, in it every contestant. */
final class Run {

    private final Options options;
    private final Stage stage;
    private final Terminal terminal;
    private final Results results = new Results();

    Run(Options options, Stage stage, Terminal terminal) {
        this.options = options;
        this.stage = stage;
        this.terminal = terminal;
    }

    Results play() throws IOException, InterruptedException {
        try (Progress progress = new Progress(terminal, options.estimate())) {
            for (Scenario scenario : options.scenarios()) {
                play(scenario, progress);
            }
        }
        return results;
    }

    private void play(Scenario scenario, Progress progress) throws IOException, InterruptedException {
        int rounds = options.rounds(scenario);
        for (int round = 1; round <= rounds; round++) {
            for (Contestant contestant : options.contestants(scenario)) {
                String times = rounds > 1 ? ", round " + round + " of " + rounds : "";
                progress.step(scenario.title() + ": " + contestant.label() + times);
                results.add(scenario, contestant, measure(scenario, contestant));
                progress.done(scenario.seconds(options.pace()));
            }
        }
        summary(scenario, progress);
    }

    private Sample measure(Scenario scenario, Contestant contestant) throws IOException, InterruptedException {
        try {
            return scenario.measure(contestant, stage);
        } catch (BrokenLock e) {
            return Sample.broken(String.valueOf(e.getMessage()));
        } catch (WorkerFailure | BenchException e) {
            // BenchException: a scenario's own servers did not start; the other scenarios go on.
            return Sample.failed(String.valueOf(e.getMessage()));
        }
    }

    /** A line as soon as a scenario is over, before the table. */
    private void summary(Scenario scenario, Progress progress) {
        StringBuilder line = new StringBuilder(scenario.title()).append(": ");
        // Not every metric has a value in a quick run.
        Metric metric = scenario.metrics().stream()
                .filter(any ->
                        results.spread(scenario, Contestant.HOLDFAST, any).isPresent())
                .findFirst()
                .orElse(scenario.metrics().get(0));
        line.append(results.spread(scenario, Contestant.HOLDFAST, metric)
                .map(spread -> metric.unit().format(spread.median()))
                .orElse("no result"));
        results.best(scenario, metric, Contestant::isPeer)
                .flatMap(peer -> results.ratio(scenario, metric, peer.contestant()::equals)
                        .map(ratio -> ", " + Unit.number(ratio) + " × "
                                + peer.contestant().label()))
                .ifPresent(line::append);
        results.ratio(scenario, metric, contestant -> contestant == Contestant.CEILING)
                .ifPresent(ratio -> line.append(", ").append(Unit.number(ratio)).append(" × the ceiling"));
        progress.line(line.toString());
    }

    /** Whether no lock was broken, and Holdfast has a result wherever it took part. */
    static boolean isSound(Results results) {
        return results.scenarios().stream()
                .noneMatch(scenario -> results.contestants(scenario).stream()
                        .anyMatch(contestant -> results.fault(scenario, contestant)
                                .filter(sample -> sample.isBroken() || contestant == Contestant.HOLDFAST)
                                .isPresent()));
    }
}
