package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.simulation.Tally.What;
import io.holdfast.spi.ClaimResult;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The way between the processes and the store. A command takes its time there, and its answer takes its time back. On the
 * way it may be lost, or its answer after it ran; it may be late by more than a lease; it may run twice, the second time
 * long after. Ordered, it is one connection for each client: what was sent first runs first and is answered first.
 */
final class Network {

    static final long LATEST = 4 * SECOND;

    private final World world;
    private final Dice dice;
    private final Scenario scenario;
    private final Map<SimProcess, Long> lastThere = new HashMap<>();
    private final Map<SimProcess, Long> lastBack = new HashMap<>();

    Network(World world) {
        this.world = world;
        this.dice = world.dice;
        this.scenario = world.scenario;
    }

    /** Sends a command; it runs at the store, perhaps, and its answer comes to the process, perhaps. */
    <T> CompletableFuture<T> send(SimProcess from, String what, String name, String id, Function<Run, T> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        world.happened(What.COMMAND);
        if (trouble(scenario.thrown, What.THROWN, from, what, name, id)) {
            if (dice.percent(50)) {
                throw new StoreUnavailableException("thrown, against the contract");
            }
            throw new IllegalStateException("thrown, against the contract");
        }
        if (trouble(scenario.refused, What.REFUSED, from, what, name, id)) {
            if (what.equals("release")) {
                world.server.history(id).givenUp();
            }
            answerFails(from, answer, new StoreRefusedException("refused", dice.percent(50)));
            return answer;
        }
        long there = latency();
        if (trouble(scenario.commandLate, What.COMMAND_LATE, from, what, name, id)) {
            there += late();
            from.troubled(world.now() + there);
        }
        world.trace.say(from.id, "%s %s %s →", what, name, id);
        if (trouble(scenario.commandLost, What.COMMAND_LOST, from, what, name, id)) {
            if (dice.percent(50)) {
                answerFails(from, answer, new StoreUnavailableException("the connection broke on the way there"));
            }
            return answer;
        }
        world.at(inOrder(lastThere, from, world.now() + there), () -> arrived(from, what, name, id, command, answer));
        return answer;
    }

    private <T> void arrived(
            SimProcess from,
            String what,
            String name,
            String id,
            Function<Run, T> command,
            CompletableFuture<T> answer) {
        Server.Down down = world.server.down();
        if (down != null) {
            if (down == Server.Down.FAILING) {
                answerFails(from, answer, new StoreUnavailableException("nobody listens"));
            }
            return;
        }
        boolean lost = trouble(scenario.answerLost, What.ANSWER_LOST, from, what, name, id);
        boolean repeated = trouble(scenario.commandRepeated, What.COMMAND_REPEATED, from, what, name, id);
        T value;
        try {
            value = command.apply(new Run(false, !lost));
            if (repeated && scenario.ordered) {
                // A connection that broke sends what was not answered again, before anything that comes later.
                value = command.apply(new Run(true, !lost));
            } else if (repeated) {
                world.after(late(), () -> runAgain(from, command));
            }
        } catch (StoreRefusedException e) {
            if (!lost) {
                answerFails(from, answer, e);
            }
            return;
        }
        if (lost) {
            if (dice.percent(50)) {
                answerFails(from, answer, new StoreUnavailableException("the connection broke on the way back"));
            }
            return;
        }
        long back = latency();
        if (trouble(scenario.answerLate, What.ANSWER_LATE, from, what, name, id)) {
            back += late();
            from.troubled(world.now() + back);
        }
        T result = value;
        world.at(
                inOrder(lastBack, from, world.now() + back),
                () -> from.deliver(() -> {
                    world.trace.say(from.id, "%s %s %s ← %s", what, name, id, result);
                    answer.complete(result);
                }));
    }

    @SuppressWarnings("ReturnValueIgnored") // nobody hears it
    private <T> void runAgain(SimProcess from, Function<Run, T> command) {
        if (world.server.down() == null) {
            from.troubled(world.now());
            try {
                command.apply(new Run(true, false));
            } catch (StoreRefusedException e) {
                world.trace.say("store", "%s", e); // and nobody hears it
            }
        }
    }

    private <T> void answerFails(SimProcess from, CompletableFuture<T> answer, RuntimeException failure) {
        world.at(
                inOrder(lastBack, from, world.now() + latency()),
                () -> from.deliver(() -> {
                    world.trace.say(from.id, "← %s", failure);
                    answer.completeExceptionally(failure);
                }));
    }

    private boolean trouble(int permille, What what, SimProcess process, String command, String name, String id) {
        if (world.isCalm() || !dice.permille(permille)) {
            return false;
        }
        world.trace.say(process.id, "%s %s %s: %s", command, name, id, what);
        world.happened(what);
        process.troubled(world.now());
        return true;
    }

    private long inOrder(Map<SimProcess, Long> last, SimProcess process, long at) {
        if (!scenario.ordered) {
            return at;
        }
        long then = Math.max(at, last.getOrDefault(process, 0L));
        last.put(process, then);
        return then;
    }

    private long latency() {
        return dice.between(scenario.latency / 4, scenario.latency);
    }

    private long late() {
        return dice.spread(5 * MILLI, LATEST);
    }

    // ---- watches ----------------------------------------------------------------------------------------------

    /** A subscription: nobody answers, and it may get lost. */
    void sendQuietly(SimProcess from, Runnable action) {
        if (!dice.permille(scenario.commandLost)) {
            world.after(latency(), () -> {
                if (world.server.down() == null && !from.isCrashed()) {
                    action.run();
                }
            });
        }
    }

    void sendSurely(Runnable action) {
        world.after(2 * scenario.latency, action);
    }

    /** Tells one watcher that the lock may be free: best effort, as the contract says. */
    void hint(String name, Server.Watch watch) {
        tellPerhaps(watch.process, name + " may be free", watch.changed);
    }

    /** Tells a client that the turn of one of its claims has come, or had: best effort too. */
    void turnReached(String claimId, Server.Listen listen) {
        tellPerhaps(
                listen.process(),
                "the turn of " + claimId,
                () -> listen.listener().turnReached(claimId));
    }

    /** Tells a client that another claim waits for one of its claims: best effort too. */
    void revocationRequested(String claimId, Server.Listen listen) {
        tellPerhaps(
                listen.process(),
                claimId + " is to be given up",
                () -> listen.listener().revocationRequested(claimId));
    }

    /** Tells a client that one of its claims was granted: best effort too. */
    void grant(String claimId, long ticket, ClaimResult.Granted grant, Server.Listen listen) {
        tellPerhaps(
                listen.process(),
                claimId + " was granted",
                () -> listen.listener().granted(claimId, ticket, grant));
    }

    private void tellPerhaps(SimProcess process, String what, Runnable action) {
        if (dice.permille(scenario.hintLost)) {
            world.happened(What.HINT_LOST);
            world.oracle.fleet().notToldOf();
            return;
        }
        long time = latency() + (dice.permille(scenario.hintLost) ? late() : 0);
        world.after(
                time,
                () -> process.deliver(() -> {
                    world.trace.say(process.id, "%s ←", what);
                    action.run();
                }));
    }
}
