package io.holdfast.simulation;

import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.simulation.log.ErrorLog;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A whole world from one seed: processes that each run the real engine, a store, a network between them, and everything
 * that can go wrong. Time is a number. Whatever happens is an event at a time; events run one after another on one
 * thread, and after each of them the {@link Oracle} looks at everything. So a run takes milliseconds, and the same seed
 * gives the same run.
 */
final class World {

    private static final int MOST_EVENTS = 200_000;

    /** A world with many clients takes as long as several others. */
    private static final int ONE_FLEET_IN = 25;

    /** One world in so many is an election, and which of them. */
    private static final int ONE_ELECTION_IN = 20;

    private static final int THE_ELECTION = 7;

    /** After the trouble, everybody must have come to an end by then, however long the queues. */
    private static final long PATIENCE = 200 * SECOND;

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    final Dice dice;
    final Scenario scenario;
    final Trace trace;
    final Tally tally = new Tally();
    final Server server;
    final Network network;
    final List<Target> targets;
    final List<SimProcess> processes = new ArrayList<>();
    final List<Caller> callers = new ArrayList<>();
    final List<LatchUser> latchUsers = new ArrayList<>();
    final List<CandidateUser> candidates = new ArrayList<>();
    final Oracle oracle;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long order;
    private boolean over;

    World(long seed, boolean traced) {
        dice = new Dice(seed);
        boolean fleet = Math.floorMod(seed, ONE_FLEET_IN) == 0;
        scenario = new Scenario(dice, fleet, !fleet && Math.floorMod(seed, ONE_ELECTION_IN) == THE_ELECTION);
        trace = new Trace(this, traced);
        trace.say("world", "%s", scenario);
        targets = scenario.targets;
        server = new Server(this);
        network = new Network(this);
        for (int i = 0; i < scenario.processes; i++) {
            SimProcess process = new SimProcess(this, "p" + i);
            processes.add(process);
            for (int j = 0; j < scenario.callers; j++) {
                callers.add(new Caller(process, callers.size() + 1));
            }
            for (int j = 0; j < scenario.candidates; j++) {
                candidates.add(new CandidateUser(process, candidates.size() + 1));
            }
        }
        oracle = new Oracle(this);
        for (int i = 0; i < scenario.latchUsers; i++) {
            latchUsers.add(new LatchUser(dice.pick(processes), oracle.bound()));
        }
    }

    // ---- time -------------------------------------------------------------------------------------------------

    long now() {
        return now;
    }

    void at(long time, Runnable action) {
        events.add(new Event(Math.max(time, now), order++, action));
    }

    void after(long delay, Runnable action) {
        at(now + delay, action);
    }

    /** Whether the time of trouble is over. */
    boolean isCalm() {
        return now >= scenario.span;
    }

    // ---- the run ----------------------------------------------------------------------------------------------

    /** Lets everything happen, up to the end or the first thing that must not. */
    void run() {
        ErrorLog.errors().clear();
        callers.forEach(Caller::begin);
        latchUsers.forEach(LatchUser::begin);
        candidates.forEach(CandidateUser::begin);
        new Chaos(this).begin();
        at(scenario.span, this::comeToRest);
        while (!over && !oracle.isViolated()) {
            Event next = events.remove();
            now = next.at;
            next.action.run();
            oracle.look();
            if (order > MOST_EVENTS) {
                oracle.violated(Violation.Check.NO_HANG, "more than " + MOST_EVENTS + " events: it runs in circles");
            }
        }
    }

    private void comeToRest() {
        if (callers.stream().allMatch(Caller::isFinished)
                && latchUsers.stream().allMatch(LatchUser::isFinished)
                && candidates.stream().allMatch(CandidateUser::isFinished)) {
            // Nothing more is asked of anybody: what is still there after this time stays for ever.
            trace.say("world", "all is done; quiet now");
            after(Oracle.QUIET + server.longestLease(), this::end);
        } else if (now > scenario.span + PATIENCE) {
            Stream.of(
                            callers.stream().filter(caller -> !caller.isFinished()),
                            latchUsers.stream().filter(user -> !user.isFinished()),
                            candidates.stream().filter(candidate -> !candidate.isFinished()))
                    .flatMap(Function.identity())
                    .findFirst()
                    .ifPresent(who -> oracle.violated(Violation.Check.NO_HANG, who + " is not done"));
        } else {
            after(SECOND / 2, this::comeToRest);
        }
    }

    private void end() {
        oracle.atTheEnd();
        over = true;
    }

    Target target(String name) {
        return targets.get(name.charAt(0) - 'A');
    }

    /** The process that has made a claim. */
    SimProcess processOf(String claimId) {
        return processes.get(Integer.parseInt(claimId, 1, claimId.indexOf(':'), 10));
    }

    /** Something that is worth counting. */
    void happened(Tally.What what) {
        tally.count(what);
    }

    long events() {
        return order;
    }
}
