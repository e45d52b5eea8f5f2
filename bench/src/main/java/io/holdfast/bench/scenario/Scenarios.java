package io.holdfast.bench.scenario;

import java.util.List;

/** All of them, in the order of the report. */
public final class Scenarios {

    public static final List<Scenario> ALL = List.of(
            new PairsScenario(
                    "single",
                    "1 thread, 1 lock",
                    "One thread takes a lock that nobody else wants and gives it back, over and over. Now and then"
                            + " another client tries for it while it is held, and must not get it.",
                    1,
                    1,
                    1),
            new PairsScenario(
                    "spread",
                    "64 threads, 64 locks",
                    "64 threads of one process, each with a lock of its own: how much goes over one connection. Now and"
                            + " then another client tries for a held one, and must not get it.",
                    1,
                    64,
                    64),
            new PairsScenario(
                    "local",
                    "16 threads, 1 lock, 1 process",
                    "16 threads of one process want the same lock all the time. The ceiling is what one holder after the"
                            + " other could do if each asked the server; a hand-off within the process needs no server.",
                    1,
                    16,
                    1),
            new PairsScenario(
                    "processes",
                    "4 processes × 4 threads, 1 lock",
                    "Four processes with four threads each want the same lock all the time; the sum of what they get, and"
                            + " how much of it the one that got least.",
                    4,
                    4,
                    1),
            new ReentryScenario(),
            new HandoffScenario(),
            new BusyScenario(),
            new HeldScenario(),
            new CommandsScenario(),
            new StartupScenario(),
            new ClosureScenario(),
            new GrowthScenario(),
            new PostgresPairsScenario(
                    "postgresql-spread",
                    "PostgreSQL: 16 threads, 16 locks",
                    "16 threads of one process, each with a lock of its own, kept in PostgreSQL as it comes: each commit"
                            + " is written to disk. Now and then another client tries for a held one, and must not get"
                            + " it.",
                    16,
                    16),
            new PostgresPairsScenario(
                    "postgresql-local",
                    "PostgreSQL: 16 threads, 1 lock, 1 process",
                    "16 threads of one process want the same lock all the time, which is kept in PostgreSQL.",
                    16,
                    1),
            new PostgresHandoffScenario());

    private Scenarios() {}

    /**
     * The one with that id.
     *
     * @throws IllegalArgumentException if there is none, with a message for the user
     */
    public static Scenario of(String id) {
        return ALL.stream()
                .filter(scenario -> scenario.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown scenario '" + id + "'; there are "
                        + String.join(", ", ALL.stream().map(Scenario::id).toList())));
    }
}
