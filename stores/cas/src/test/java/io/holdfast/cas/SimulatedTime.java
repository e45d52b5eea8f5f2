package io.holdfast.cas;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** Time that goes on only when it is run, from one step to the next. */
final class SimulatedTime implements Pauses {

    private record Step(long at, long number, Runnable what) {}

    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::number));
    private long now;
    private long number;

    long now() {
        return now;
    }

    @Override
    public void after(long nanos, Runnable step) {
        steps.add(new Step(now + nanos, number++, step));
    }

    /** Runs until it is so, or until this much time has gone by, or nothing is left to do; the answer is whether it is so. */
    boolean until(BooleanSupplier condition, long nanos) {
        long end = now + nanos;
        while (!condition.getAsBoolean()) {
            Step next = steps.peek();
            if (next == null || next.at > end) {
                now = end;
                return condition.getAsBoolean();
            }
            steps.remove();
            now = next.at;
            next.what.run();
        }
        return true;
    }

    void pass(long nanos) {
        until(() -> false, nanos);
    }
}
