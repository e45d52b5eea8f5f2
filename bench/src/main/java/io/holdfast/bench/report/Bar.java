package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What Holdfast wants to reach, and whether it did.
 *
 * @param against whose value it is a multiple of; empty if the bound stands by itself
 * @param limit what it can't exceed, where that was measured: the ceiling, which is measured in the same run, or a sentence;
 *     otherwise empty. Such a bar keeps the library from falling back
 */
public record Bar(String scenario, String metric, boolean atLeast, double bound, String against, String limit) {

    private static final String REDISSON = "Redisson";
    private static final String SPRING = "the best Spring registry";
    private static final String CURATOR = "Curator";
    private static final String SPRING_JDBC = "Spring's JDBC registry";
    private static final String CEILING = "the ceiling";

    /**
     * A process may hand a lock on for 20 ms before it is another's turn, and a waiter there may be the last of an equally
     * long turn; the rest is what a busy machine adds.
     */
    private static final double LONGEST_WAIT_MILLIS = 100;

    private static final double LONGEST_MIXED_WAIT_MILLIS = 1_000;

    /** In percent: how many of the holds of the client with the most the one with the fewest has. */
    private static final double A_THIRD = 33.3;

    private static final List<Bar> LOCKS = List.of(
            new Bar("single", "pairs", true, 1.2, REDISSON, CEILING),
            new Bar("spread", "pairs", true, 3.2, REDISSON, CEILING),
            new Bar("spread", "pairs", true, 1.3, SPRING),
            new Bar("spread", "pairs", true, 0.6, CEILING),
            new Bar("local", "pairs", true, 20, REDISSON),
            new Bar("processes", "pairs", true, 40, REDISSON),
            new Bar("fair", "pairs", true, 4, REDISSON),
            new Bar("reentry", "pairs", true, 3_500, REDISSON, "a look at the clock alone: 20 ns"),
            new Bar("linger", "pairs", true, 1_000, REDISSON),
            new Bar("handoff", "p50", false, 0.6, REDISSON),
            new Bar("shares", "least4", true, A_THIRD, ""),
            new Bar("shares", "least1", true, A_THIRD, ""),
            new Bar("shares", "longest4", false, LONGEST_WAIT_MILLIS, ""),
            new Bar("shares", "longest1", false, LONGEST_WAIT_MILLIS, ""),
            new Bar("held", "bytes", false, 400, ""),
            new Bar("held", "clientCpu", false, 0.5, REDISSON),
            new Bar("held", "growth", false, 1.1, ""),
            new Bar("commands", "alone", false, 2, ""),
            new Bar("growth", "kept", true, 0.8, ""),
            new Bar("zookeeper-spread", "pairs", true, 1.2, CURATOR),
            new Bar("zookeeper-local", "pairs", true, 20, CURATOR),
            new Bar("postgresql-spread", "pairs", true, 3, SPRING_JDBC),
            new Bar("postgresql-local", "pairs", true, 20, SPRING_JDBC),
            new Bar("postgresql-handoff", "p50", false, 10_000, ""));

    /** However many clients wait. */
    private static final List<Bar> FLEETS = List.of(
            new Bar("fleet-redis", "kept", true, 0.85, ""),
            new Bar("fleet-redis", "calls", false, 4, ""),
            new Bar("fleet-redis", "server2", false, 1.5, REDISSON),
            new Bar("fleet-redis", "server100", false, 0.4, REDISSON),
            new Bar("fleet-redis", "even", true, A_THIRD, ""),
            new Bar("fleet-redis-fair", "calls", false, 4, ""),
            new Bar("fleet-redis-fair", "even", true, A_THIRD, ""),
            new Bar("fleet-replicas", "kept", true, 0.85, ""),
            new Bar("fleet-replicas", "calls", false, 4, ""),
            new Bar("fleet-replicas", "even", true, A_THIRD, ""),
            new Bar("fleet-replicas-fair", "calls", false, 4, ""),
            new Bar("fleet-replicas-fair", "even", true, A_THIRD, ""),
            new Bar("fleet-cluster", "kept", true, 0.85, ""),
            new Bar("fleet-cluster", "calls", false, 4, ""),
            new Bar("fleet-cluster", "even", true, A_THIRD, ""),
            new Bar("fleet-cluster-fair", "calls", false, 4, ""),
            new Bar("fleet-cluster-fair", "even", true, A_THIRD, ""),
            new Bar("fleet-postgresql", "kept", true, 0.8, ""),
            new Bar("fleet-postgresql", "even", true, A_THIRD, ""),
            new Bar("fleet-postgresql-fair", "even", true, A_THIRD, ""),
            new Bar("fleet-zookeeper", "kept", true, 0.8, ""),
            new Bar("fleet-zookeeper", "even", true, A_THIRD, ""),
            new Bar("fleet-zookeeper-fair", "even", true, A_THIRD, ""),
            new Bar("mixed", "redissonTurns2", true, 15, ""),
            new Bar("mixed", "longest2", false, LONGEST_MIXED_WAIT_MILLIS, ""),
            new Bar("mixed", "redissonTurns0", true, 15, ""),
            new Bar("mixed", "longest0", false, LONGEST_MIXED_WAIT_MILLIS, ""));

    public static final List<Bar> ALL =
            Stream.of(LOCKS, FLEETS).flatMap(List::stream).toList();

    private Bar(String scenario, String metric, boolean atLeast, double bound, String against) {
        this(scenario, metric, atLeast, bound, against, "");
    }

    /** What came out. */
    public record Verdict(Bar bar, Scenario scenario, Metric metric, double measured, String limit) {

        public boolean met() {
            return bar.atLeast ? measured >= bar.bound : measured <= bar.bound;
        }

        public String wanted() {
            return (bar.atLeast ? "at least " : "at most ")
                    + bar.show(bar.bound, metric)
                    + (bar.against.isEmpty() ? "" : " " + bar.against);
        }

        public String got() {
            return bar.show(measured, metric);
        }
    }

    /** Of the bars for which there are results. */
    public static List<Verdict> verdicts(Results results) {
        List<Verdict> verdicts = new ArrayList<>();
        for (Bar bar : ALL) {
            bar.verdict(results).ifPresent(verdicts::add);
        }
        return verdicts;
    }

    private Optional<Verdict> verdict(Results results) {
        return results.scenario(scenario).flatMap(found -> {
            Metric its = found.metrics().stream()
                    .filter(candidate -> candidate.id().equals(metric))
                    .findFirst()
                    .orElseThrow();
            Optional<Double> measured = against.isEmpty()
                    ? results.spread(found, Contestant.HOLDFAST, its).map(Spread::median)
                    : results.ratio(found, its, reference(against));
            // A counted thing may be off by a stray command of a connection; nothing else is this exact.
            return measured.map(value ->
                    new Verdict(this, found, its, Math.round(value * 100) / 100.0, limit(found, its, results)));
        });
    }

    /** The ceiling's value as a multiple of the same reference; or what is known of it from elsewhere. */
    private String limit(Scenario found, Metric its, Results results) {
        if (!limit.equals(CEILING)) {
            return limit;
        }
        Optional<Double> ours = results.ratio(found, its, reference(against));
        Optional<Double> part = results.ratio(found, its, reference(CEILING));
        return ours.isEmpty() || part.isEmpty() || part.get() == 0
                ? ""
                : CEILING + ": " + show(ours.get() / part.get(), its);
    }

    private static Predicate<Contestant> reference(String name) {
        return switch (name) {
            case REDISSON -> contestant -> contestant == Contestant.REDISSON;
            case SPRING -> Contestant::isSpring;
            case CURATOR -> contestant -> contestant == Contestant.CURATOR;
            case SPRING_JDBC -> contestant -> contestant == Contestant.SPRING_JDBC;
            case CEILING -> contestant -> contestant == Contestant.CEILING;
            default -> throw new IllegalStateException(name);
        };
    }

    private String show(double value, Metric metric) {
        return against.isEmpty() ? metric.unit().format(value) : Unit.number(value) + " ×";
    }
}
