package io.holdfast.simulation;

import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * First come, first served, among the callers of one client: who asked earlier has the smaller token. Only while the first of
 * those who wait is waking up, others may go before it.
 */
final class Order {

    private record Queue(SimProcess process, String name) {
        static Queue of(Request request) {
            return new Queue(request.process, request.want.part().target().name());
        }
    }

    private final Oracle oracle;
    private final Map<Queue, TreeMap<Long, Long>> tokens = new HashMap<>();

    /** Those who were called and are not awake yet. */
    private final Set<Request> waking = new HashSet<>();

    /** The tokens of those who may have gone before them, until it is known who that is. */
    private final Set<Long> wentFirst = new HashSet<>();

    Order(Oracle oracle) {
        this.oracle = oracle;
    }

    void called(Request request) {
        waking.add(request);
    }

    void awake(Request request) {
        waking.remove(request);
    }

    void grantedToHandle(Belief belief) {
        if (isWaking(new Queue(belief.process, belief.name))) {
            wentFirst.add(belief.token);
        }
    }

    void granted(Request request, long token) {
        Queue queue = Queue.of(request);
        waking.remove(request);
        if (request.handle != null ? wentFirst.remove(token) : isWaking(queue)) {
            request.process.world.happened(What.WENT_FIRST);
            return;
        }
        TreeMap<Long, Long> served = tokens.computeIfAbsent(queue, unused -> new TreeMap<>());
        Map.Entry<Long, Long> before = served.lowerEntry(request.number);
        Map.Entry<Long, Long> after = served.higherEntry(request.number);
        if ((before != null && before.getValue() >= token) || (after != null && after.getValue() <= token)) {
            oracle.violated(Check.FIFO, request + " was served out of turn, with token " + token);
        }
        served.put(request.number, token);
    }

    private boolean isWaking(Queue queue) {
        return waking.stream().anyMatch(other -> Queue.of(other).equals(queue));
    }
}
