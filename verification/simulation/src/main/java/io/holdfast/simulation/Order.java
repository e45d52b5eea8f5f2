package io.holdfast.simulation;

import io.holdfast.simulation.Violation.Check;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** First come, first served, among the callers of one client: who asked earlier has the smaller token. */
final class Order {

    private record Queue(SimProcess process, String name) {}

    private final Oracle oracle;
    private final Map<Queue, TreeMap<Long, Long>> tokens = new HashMap<>();

    Order(Oracle oracle) {
        this.oracle = oracle;
    }

    void granted(Request request, long token) {
        TreeMap<Long, Long> served = tokens.computeIfAbsent(
                new Queue(request.process, request.want.part().target().name()), unused -> new TreeMap<>());
        Map.Entry<Long, Long> before = served.lowerEntry(request.number);
        Map.Entry<Long, Long> after = served.higherEntry(request.number);
        if ((before != null && before.getValue() >= token) || (after != null && after.getValue() <= token)) {
            oracle.violated(Check.FIFO, request + " was served out of turn, with token " + token);
        }
        served.put(request.number, token);
    }
}
