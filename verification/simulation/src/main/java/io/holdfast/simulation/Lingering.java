package io.holdfast.simulation;

import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Violation.Check;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** That what is kept though nobody needs it is given back: when its time is over, and when others are heard asking. */
final class Lingering {

    /** For how long a claim may be taken up again and again, if it does not linger for longer. */
    private static final long SHORTEST_RUN = Time.SECOND;

    private final World world;
    private final Oracle oracle;
    private final long bound;

    /** By claim, when it was first seen to be kept. */
    private final Map<String, Long> since = new HashMap<>();

    Lingering(World world, Oracle oracle, long bound) {
        this.world = world;
        this.oracle = oracle;
        this.bound = bound;
    }

    /** The process keeps the name. */
    void look(SimProcess process, String name, List<Request> pending) {
        String claim = Objects.requireNonNull(EngineProbe.lingering(process.engine, name));
        long seen = since.computeIfAbsent(claim, unused -> world.now());
        if (world.now() - process.wellSince() < bound) {
            return;
        }
        if (process.nanos() - EngineProbe.lingersUntil(process.engine, name) > bound) {
            oracle.violated(
                    Check.NOTHING_LEAKED, process + " keeps " + claim + " on " + name + ", and its time is over");
        }
        if (world.now() - seen > Math.max(world.scenario.linger.toNanos(), SHORTEST_RUN) + bound) {
            oracle.violated(
                    Check.NO_HANG, process + " keeps " + claim + " on " + name + ", and takes it up again and again");
        }
        for (Request request : pending) {
            if (request.process != process && isHeard(request, process) && request.want.isFor(name)) {
                long asking = Math.max(Math.max(request.startedAt, request.process.wellSince()), seen);
                if (world.now() - asking > bound) {
                    oracle.violated(
                            Check.NO_HANG, process + " keeps " + claim + " on " + name + ", and " + request + " waits");
                }
            }
        }
    }

    /**
     * Calls are lost now and then, and so is the subscription to them; and one who waits for several locks may not have
     * asked for this one yet.
     */
    private boolean isHeard(Request request, SimProcess by) {
        return world.scenario.hintLost == 0 && world.server.isHeard(by) && !request.want.isMulti();
    }
}
