package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.Store;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;

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
            new PairsScenario(
                    "fair",
                    "4 processes × 4 threads, 1 lock, fair",
                    "The same with a fair lock: whoever came first gets it first, in whichever process, so each hold"
                            + " goes to the server. Only libraries that have such a lock.",
                    4,
                    4,
                    1,
                    true),
            new ReadWriteScenario(),
            new JmhScenario(
                    "reentry",
                    "Re-entry",
                    "One thread has the lock, takes it once more and gives it back, over and over. Another client must"
                            + " not get it before the last unlock, and must get it after that. A bare lock is not"
                            + " re-entrant.",
                    Reentry.class,
                    EnumSet.of(
                            Contestant.HOLDFAST,
                            Contestant.REDISSON,
                            Contestant.SPRING_SPIN,
                            Contestant.SPRING_PUBSUB)),
            new JmhScenario(
                    "linger",
                    "1 thread, 1 lock, linger",
                    "As with one thread and one lock, but Holdfast's lock is one that lingers: the client keeps it"
                            + " between two pairs until another one asks. The others have no such thing and take their"
                            + " plain lock. At the end of each stretch another client must not get it while it is held,"
                            + " and must get it then.",
                    Linger.class,
                    EnumSet.of(Contestant.HOLDFAST, Contestant.REDISSON)),
            new JmhScenario(
                    "alone",
                    "1 thread, 1 lock, by JMH",
                    "The first scenario again, without looking at the clock for each pair, and with what is allocated by"
                            + " all threads of the client.",
                    Uncontended.class,
                    EnumSet.of(Contestant.HOLDFAST, Contestant.REDISSON)),
            new HandoffScenario(),
            new SharesScenario(),
            new BusyScenario(),
            new HeldScenario(),
            new CommandsScenario(),
            new StartupScenario(),
            new ClosureScenario(),
            new GrowthScenario(),
            new ZooKeeperScenario(
                    "zookeeper-spread",
                    "ZooKeeper: 16 threads, 16 locks",
                    "16 threads of one process, each with a lock of its own, kept in one ZooKeeper server. Now and then"
                            + " another client tries for a held one, and must not get it.",
                    16,
                    16),
            new ZooKeeperScenario(
                    "zookeeper-local",
                    "ZooKeeper: 16 threads, 1 lock, 1 process",
                    "16 threads of one process want the same lock all the time, which is kept in one ZooKeeper server.",
                    16,
                    1),
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
            new PostgresHandoffScenario(),
            fleet(Store.REDIS, false),
            fleet(Store.REDIS, true),
            fleet(Store.REPLICAS, false),
            fleet(Store.REPLICAS, true),
            fleet(Store.CLUSTER, false),
            fleet(Store.CLUSTER, true),
            fleet(Store.POSTGRESQL, false),
            fleet(Store.POSTGRESQL, true),
            fleet(Store.ZOOKEEPER, false),
            fleet(Store.ZOOKEEPER, true),
            new MixedScenario());

    private Scenarios() {}

    /** As many clients as each store still serves on two cores, one of them at a time. */
    private static Scenario fleet(Store store, boolean fair) {
        return new FleetScenario(
                store,
                fair,
                switch (store) {
                    case REDIS, REPLICAS, CLUSTER -> List.of(2, 20, 100);
                    case POSTGRESQL -> List.of(2, 10, 30);
                    case ZOOKEEPER -> List.of(2, 20, 60);
                });
    }

    /**
     * The one with that id; if there is none, all whose ids begin with it, as {@code fleet-redis} does with {@code fleet}.
     *
     * @throws IllegalArgumentException if there is none, with a message for the user
     */
    public static List<Scenario> named(String id) {
        List<Scenario> named = all(scenario -> scenario.id().equals(id));
        if (named.isEmpty()) {
            named = all(scenario -> scenario.id().startsWith(id + "-"));
        }
        if (named.isEmpty()) {
            throw new IllegalArgumentException("unknown scenario '" + id + "'; there are "
                    + String.join(", ", ALL.stream().map(Scenario::id).toList()));
        }
        return named;
    }

    private static List<Scenario> all(Predicate<Scenario> which) {
        return ALL.stream().filter(which).toList();
    }
}
