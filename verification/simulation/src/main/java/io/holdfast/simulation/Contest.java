package io.holdfast.simulation;

import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks that are free and that several callers ask for at once, none of which waits: one of them gets what it asks for. Judged
 * where nothing goes wrong in the world, so that what is in the way of a caller is what its rivals hold.
 */
final class Contest {

    private final World world;
    private final Oracle oracle;
    private final Set<Request> pending = new HashSet<>();

    /** How many have taken part in this contest. */
    private int rivals;

    /** True while it is sure that one of the rivals has to win. */
    private boolean judged;

    private boolean won;

    Contest(World world, Oracle oracle) {
        this.world = world;
        this.oracle = oracle;
    }

    void started(Request request) {
        if (!world.scenario.contest) {
            return;
        }
        if (pending.isEmpty()) {
            judged = world.targets.stream().allMatch(request::isFree);
            won = false;
            rivals = 0;
        }
        rivals++;
        judged &= request.wait == 0;
        pending.add(request);
    }

    void ended(Request request, boolean had, @Nullable Throwable failure) {
        if (!pending.remove(request)) {
            return;
        }
        won |= had;
        judged &= failure == null && !request.wasQuit();
        if (pending.isEmpty() && judged) {
            if (rivals > 1) {
                world.happened(What.CONTEST);
            }
            if (!won) {
                oracle.violated(
                        Check.NO_HANG, rivals + " callers asked for locks that were free, at once, and none had any");
            }
        }
    }
}
