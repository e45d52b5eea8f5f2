package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MICRO;
import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What kind of world a seed makes. Each trouble is there or not, by itself: some worlds have none, some have one kind
 * only, which then shows what it does undisturbed, and some have them all.
 */
final class Scenario {

    // ---- who is there
    /** Whether there are many clients that all want one plain lock, over and over. */
    final boolean fleet;

    /** Whether all are candidates of one election, and how many there are in each process. */
    final boolean election;

    final int candidates;
    final int processes;
    final int callers;
    final List<Target> targets;

    /** Whether several locks are taken as one. */
    final boolean multi;

    /** How many there are who use a latch. */
    final int latchUsers;

    /** For how long most keep a lock after they have left; zero in most worlds. */
    final Duration linger;

    final int rounds;
    final Duration lease;
    final Duration timeout;

    /** How long there is trouble, and new rounds begin; after that everything works and has to come to rest. */
    final long span;

    /** Whether leases are asked all the time whether they are valid, or only by those who hold them. */
    final boolean observed;

    /** Whether anybody listens to the engine's events. */
    final boolean listened;

    // ---- clocks, in millionths
    final int drift;
    final boolean overflow;

    // ---- processes
    final long latestTimer;
    final int pauses;
    final boolean crash;
    final boolean close;

    // ---- the network, in thousandths of the commands
    /** Whether the commands of one client run in the order in which they were sent, as on one connection. */
    final boolean ordered;

    final long latency;
    final int commandLost;
    final int commandLate;
    final int commandRepeated;
    final int answerLost;
    final int answerLate;
    final int thrown;
    final int refused;

    // ---- the store
    /** Whether each name is on a shard of its own. */
    final boolean sharded;

    final int outages;
    final boolean restarts;
    final int forces;
    final int hintLost;
    final int hintsForNothing;

    /** How often somebody adds permits or takes some away, and whether only the first. */
    final int additions;

    final boolean reductions;
    final int wrongContended;

    /** Whether the store grants to those who wait with a release. */
    final boolean grantsOnRelease;

    /** Whether callers come all at once, again and again, have what they want for microseconds, and mostly are threads. */
    final boolean crowded;

    /** Whether callers ask at the same time for several free locks each, and none waits. Nothing goes wrong in such a world. */
    final boolean contest;

    Scenario(Dice dice, boolean fleet, boolean election) {
        this.fleet = fleet;
        this.election = election;
        candidates = election ? dice.between(1, 3) : 0;
        processes = fleet ? dice.between(5, 30) : dice.between(1, 4);
        callers = election ? 0 : fleet ? dice.between(1, 2) : dice.between(1, 4);
        boolean plain = fleet || (!election && dice.percent(40));
        multi = !plain && !election && dice.percent(25);
        contest = multi && dice.percent(30);
        targets = election
                ? List.of(new Target(CandidateUser.NAME, Target.Sort.FAIR, 1))
                : targets(dice, plain, fleet ? 1 : multi ? dice.between(2, 3) : dice.between(1, 2));
        latchUsers = !plain && !election && dice.percent(20) ? dice.between(1, 5) : 0;
        linger = !fleet && !contest && dice.percent(30)
                ? Duration.ofNanos(dice.spread(MILLI, 10 * SECOND))
                : Duration.ZERO;
        rounds = fleet ? dice.between(5, 20) : dice.between(2, 8);
        lease = Duration.ofNanos(dice.spread(fleet ? 4 * SECOND : 100 * MILLI, 30 * SECOND));
        timeout = Duration.ofNanos(dice.spread(150 * MILLI, fleet ? SECOND : 10 * SECOND));
        span = dice.spread(SECOND, 20 * SECOND);
        observed = dice.percent(30);
        listened = dice.percent(30);

        drift = dice.percent(60) ? 10_000 : 0;
        overflow = dice.percent(20);

        latestTimer = dice.percent(80) ? MILLI : 40 * MILLI;
        boolean trouble = !contest && dice.percent(85);
        pauses = trouble && dice.percent(35) ? dice.between(1, 6) : 0;
        crash = trouble && dice.percent(20);
        close = trouble && dice.percent(20);

        ordered = dice.percent(50);
        latency = dice.spread(50 * MICRO, 5 * MILLI);
        commandLost = often(dice, trouble, fleet);
        commandLate = often(dice, trouble, fleet);
        commandRepeated = often(dice, trouble, fleet);
        answerLost = often(dice, trouble, fleet);
        answerLate = often(dice, trouble, fleet);
        thrown = often(dice, trouble, fleet) / 4;
        refused = often(dice, trouble, fleet) / 4;

        sharded = dice.percent(30);
        outages = !fleet && trouble && dice.percent(25) ? dice.between(1, 3) : 0;
        restarts = outages > 0 && dice.percent(30);
        forces = !fleet && trouble && dice.percent(20) ? dice.between(1, 4) : 0;
        hintLost = dice.percent(50) ? 0 : dice.percent(50) ? 200 : 1_000;
        hintsForNothing = !fleet && dice.percent(25) ? dice.between(1, 20) : 0;
        additions = trouble && dice.percent(25) ? dice.between(1, 4) : 0;
        reductions = dice.percent(50);
        wrongContended = fleet || dice.percent(50) ? 0 : 300;
        grantsOnRelease = dice.percent(60);
        crowded = fleet || (plain && dice.percent(50));
    }

    private static List<Target> targets(Dice dice, boolean plain, int names) {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            Target.Sort sort = plain ? Target.Sort.PLAIN : dice.pick(List.of(Target.Sort.values()));
            Target target = new Target(String.valueOf((char) ('A' + i)), sort, 1);
            targets.add(target.isLock() ? target : new Target(target.name(), sort, dice.between(1, 4)));
        }
        return List.copyOf(targets);
    }

    /** Rarely in a fleet, so that most of its clients are well at any time. */
    private static int often(Dice dice, boolean trouble, boolean fleet) {
        return trouble && dice.percent(30) ? dice.between(5, 150) / (fleet ? 10 : 1) : 0;
    }

    @Override
    public String toString() {
        return (fleet ? "a fleet of " : "") + processes + " processes with "
                + (election ? candidates + " candidates each, " : callers + " callers each, ") + targets
                + (multi ? " also together" : "") + (contest ? ", all at once" : "")
                + (linger.isZero() ? "" : ", lingering for " + Time.show(linger.toNanos()))
                + ", " + rounds
                + " rounds in "
                + Time.show(span) + ", watchdog " + Time.show(lease.toNanos()) + ", time-out "
                + Time.show(timeout.toNanos()) + (observed ? ", observed" : "") + (listened ? ", listened to" : "")
                + "; clocks: drift " + drift + (overflow ? ", overflowing" : "") + ", timers up to "
                + Time.show(latestTimer) + " late"
                + "; processes: " + pauses + " pauses" + (crash ? ", a crash" : "") + (close ? ", a close" : "")
                + "; network: " + (ordered ? "ordered" : "unordered") + ", " + Time.show(latency)
                + ", of 1000 commands " + commandLost + " lost, " + commandLate + " late, " + commandRepeated
                + " repeated, answers " + answerLost + " lost, " + answerLate + " late, " + thrown + " thrown, "
                + refused
                + " refused"
                + "; store: " + (sharded ? "sharded, " : "") + outages + " outages"
                + (restarts ? " with loss of everything" : "") + ", " + forces
                + " forced, hints " + hintLost + "/1000 lost, " + hintsForNothing + " for nothing, " + additions
                + (reductions ? " changes of capacity" : " additions") + ", contended wrong "
                + wrongContended + "/1000" + (grantsOnRelease ? ", grants by call" : "");
    }
}
