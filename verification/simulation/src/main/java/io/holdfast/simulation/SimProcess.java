package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MICRO;
import static io.holdfast.simulation.Time.MILLI;

import io.holdfast.internal.BlockingCalls;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.engine.Identity;
import io.holdfast.simulation.Tally.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process with a client in it: an engine, a clock of its own, and one pump through which everything goes that runs
 * there. The pump can stand still for a while, as under SIGSTOP, and for ever, as under SIGKILL; the clock goes on.
 */
final class SimProcess {

    /** Something that is to run here. What came over the network has a place in line. */
    private record Task(Runnable action, boolean fromNetwork, long order) {}

    /** How often the latch was counted down without an id, begun and done, and how often set. */
    static final class LatchCounts {
        long started;
        long done;
        long set;
    }

    final World world;
    final String id;
    final Clock clock;
    final SimStore store;
    final Engine engine;
    final Listener listener = new Listener(this);

    /** What its users of the latch have done. */
    final LatchCounts latchCounts = new LatchCounts();

    private final List<Task> backlog = new ArrayList<>();
    private long arrivals;
    private boolean paused;
    private boolean crashed;
    private long runningSince;
    private long troubledUntil;
    private long closedAt;
    private @Nullable CompletableFuture<Void> closing;

    SimProcess(World world, String id) {
        this.world = world;
        this.id = id;
        Dice dice = world.dice;
        Scenario scenario = world.scenario;
        long offset = scenario.overflow
                ? Long.MAX_VALUE - dice.between(0, scenario.span)
                : dice.between(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);
        this.clock = new Clock(offset, scenario.drift == 0 ? 0 : dice.between(-scenario.drift, scenario.drift));
        this.store = new SimStore(this);
        this.engine = new Engine(
                new Identity(id, id, "host", id.charAt(1)),
                () -> 0, // no process is copied here
                store,
                scenario.lease,
                scenario.timeout,
                this::nanos,
                this::schedule,
                this::execute,
                scenario.listened ? List.of(listener) : List.of());
    }

    // ---- what the engine gets from outside ----------------------------------------------------------------------

    long nanos() {
        return clock.at(world.now());
    }

    /** A timer: never early, now and then late. */
    void schedule(Runnable task, long delayNanos) {
        long late = world.dice.between(0, world.dice.percent(90) ? latency() / 2 : world.scenario.latestTimer);
        if (late > 5 * MILLI) {
            troubled(world.now() + late);
        }
        world.at(clock.after(world.now(), delayNanos) + late, () -> arrive(task, false));
    }

    /** A callback: on some thread, soon, in no order. */
    void execute(Runnable task) {
        world.after(world.dice.between(0, latency()), () -> arrive(task, false));
    }

    /** Within which another thread runs. */
    private long latency() {
        return (world.scenario.crowded ? 20 : 100) * MICRO;
    }

    void deliver(Runnable answer) {
        arrive(answer, true);
    }

    private void arrive(Runnable action, boolean fromNetwork) {
        if (crashed) {
            return;
        }
        if (paused) {
            backlog.add(new Task(action, fromNetwork, arrivals++));
        } else {
            action.run();
        }
    }

    // ---- what happens to it -----------------------------------------------------------------------------------

    void pause(long time) {
        if (crashed || paused) {
            return;
        }
        world.trace.say(id, "PAUSED for %s", Time.show(time));
        world.happened(What.PAUSE);
        paused = true;
        world.after(time, this::resume);
    }

    /** All that has become due in the meantime comes at once, in some order; one connection keeps its own. */
    private void resume() {
        if (crashed) {
            return;
        }
        world.trace.say(id, "RESUMED, %d things to do", backlog.size());
        paused = false;
        runningSince = world.now();
        List<Task> due = new ArrayList<>(backlog);
        backlog.clear();
        world.dice.shuffle(due);
        if (world.scenario.ordered) {
            List<Task> inOrder = due.stream()
                    .filter(Task::fromNetwork)
                    .sorted(Comparator.comparingLong(Task::order))
                    .toList();
            int next = 0;
            for (int i = 0; i < due.size(); i++) {
                if (due.get(i).fromNetwork) {
                    due.set(i, inOrder.get(next++));
                }
            }
        }
        due.forEach(task -> world.at(world.now(), () -> arrive(task.action, task.fromNetwork)));
    }

    void crash() {
        world.trace.say(id, "CRASHED");
        world.happened(What.CRASH);
        crashed = true;
        backlog.clear();
    }

    void addPermits(Target target, int by) {
        arrive(
                () -> {
                    if (closing == null) {
                        world.trace.say(id, "adds %d to %s", by, target);
                        world.happened(What.CAPACITY_CHANGED);
                        BlockingCalls.addPermits(engine, target.name(), by, target.capacity());
                    }
                },
                false);
    }

    void close() {
        if (crashed || closing != null) {
            return;
        }
        arrive(
                () -> {
                    world.trace.say(id, "CLOSED");
                    world.happened(What.CLOSE);
                    closedAt = world.now();
                    closing = engine.close();
                },
                false);
    }

    /** Something of its traffic or its timers goes wrong until then; nobody can be held to anything. */
    void troubled(long until) {
        troubledUntil = Math.max(troubledUntil, until);
    }

    // ---- how it is --------------------------------------------------------------------------------------------

    boolean isCrashed() {
        return crashed;
    }

    @Nullable
    CompletableFuture<Void> closing() {
        return closing;
    }

    long closedAt() {
        return closedAt;
    }

    /** Since when it has been able to do what it should, unless it can't right now. */
    long wellSince() {
        return paused || crashed ? Long.MAX_VALUE : Math.max(runningSince, troubledUntil);
    }

    /** Since when it has been running, whatever the network does. */
    long runningSince() {
        return paused || crashed ? Long.MAX_VALUE : runningSince;
    }

    @Override
    public String toString() {
        return id;
    }
}
