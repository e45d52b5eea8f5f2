package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.Store;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Servers;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Assignment;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How long a lock in PostgreSQL takes from one process to another one that waits for it. */
final class PostgresHandoffScenario implements Scenario {

    @Override
    public String id() {
        return "postgresql-handoff";
    }

    @Override
    public String title() {
        return "PostgreSQL: hand-off between processes";
    }

    @Override
    public String about() {
        return "Two processes pass one lock to and fro, which is kept in PostgreSQL: from just before unlock() in one to"
                + " just after lock() in the other, which has been waiting for some milliseconds.";
    }

    @Override
    public Store store() {
        return Store.POSTGRESQL;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(HandoffScenario.P50, HandoffScenario.P99, HandoffScenario.MAX, HandoffScenario.COUNT);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return true;
    }

    @Override
    public double seconds(Pace pace) {
        return pace.warmUp() + pace.seconds() + 6;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        try (Servers server = stage.servers(store())) {
            return HandoffScenario.measure(contestant, stage, Map.of(Assignment.URL, server.url()));
        }
    }
}
