package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.simulation.Tally.What;
import java.util.List;

/** Plans what happens to processes and to the store while there is trouble. */
final class Chaos {

    private final World world;
    private final Dice dice;
    private final Scenario scenario;

    Chaos(World world) {
        this.world = world;
        this.dice = world.dice;
        this.scenario = world.scenario;
    }

    void begin() {
        for (int i = 0; i < scenario.pauses; i++) {
            world.at(anyTime(), () -> anyProcess().pause(upTo(2 * scenario.lease.toNanos())));
        }
        if (scenario.crash) {
            world.at(anyTime(), () -> anyProcess().crash());
        }
        if (scenario.close) {
            world.at(anyTime(), () -> anyProcess().close());
        }
        if (scenario.outages > 0) {
            world.at(anyTime(), () -> outage(scenario.outages));
        }
        for (int i = 0; i < scenario.forces; i++) {
            world.at(anyTime(), () -> world.server.force(dice.pick(world.targets)));
        }
        for (int i = 0; i < scenario.hintsForNothing; i++) {
            world.at(anyTime(), () -> {
                world.happened(What.HINT_FOR_NOTHING);
                Target target = dice.pick(world.targets);
                world.server.tell(target.name(), null);
                world.server.notifyAllOf(target);
            });
        }
        for (int i = 0; i < scenario.additions; i++) {
            world.at(anyTime(), this::changeCapacity);
        }
        if (scenario.overflow) {
            world.happened(What.CLOCK_OVERFLOW);
        }
    }

    private void changeCapacity() {
        List<Target> semaphores =
                world.targets.stream().filter(target -> !target.isLock()).toList();
        if (!semaphores.isEmpty()) {
            Target target = dice.pick(semaphores);
            int by = scenario.reductions && dice.percent(50) ? -1 : 1;
            anyProcess().addPermits(target, by);
        }
    }

    private void outage(int more) {
        if (world.isCalm()) {
            return;
        }
        long time = upTo(8 * SECOND);
        world.processes.forEach(process -> process.troubled(world.now() + time));
        world.server.goDown(dice.percent(50) ? Server.Down.FAILING : Server.Down.SILENT);
        world.after(time, () -> {
            world.server.comeUp(scenario.restarts);
            if (more > 1) {
                world.at(anyTime(), () -> outage(more - 1));
            }
        });
    }

    /** A length of time that ends with the trouble at the latest. */
    private long upTo(long most) {
        long left = Math.max(1, scenario.span - world.now());
        return Math.min(left, dice.spread(5 * MILLI, Math.max(10 * MILLI, most)));
    }

    private long anyTime() {
        return dice.between(world.now(), Math.max(world.now(), scenario.span));
    }

    private SimProcess anyProcess() {
        return dice.pick(world.processes);
    }
}
