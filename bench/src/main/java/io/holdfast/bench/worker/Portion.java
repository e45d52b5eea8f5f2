package io.holdfast.bench.worker;

import java.util.Collection;
import java.util.LongSummaryStatistics;

/** What one client gets of a lock that many want. */
final class Portion {

    private final Window window;
    private final Tally waits;
    private long turns;
    private long longestWait;

    Portion(Window window) {
        this.window = window;
        this.waits = new Tally(window);
    }

    /**
     * A hold begins.
     *
     * @param asked when the client began to wait
     * @param taken when it had the lock
     * @param turn whether the holder before was in another process
     */
    void add(long asked, long taken, boolean turn) {
        waits.add(asked, taken);
        if (turn && window.contains(taken)) {
            turns++;
        }
        longestWait = Math.max(longestWait, window.lasted(asked, taken));
    }

    static Findings sum(Collection<Portion> portions) {
        LongSummaryStatistics holds =
                portions.stream().mapToLong(portion -> portion.waits.counted()).summaryStatistics();
        return Tally.sum(portions.stream().map(portion -> portion.waits).toList())
                .put(Findings.FEWEST, holds.getMin())
                .put(Findings.MOST, holds.getMax())
                .put(
                        Findings.TURNS,
                        portions.stream().mapToLong(portion -> portion.turns).sum())
                .put(
                        Findings.LONGEST_WAIT,
                        portions.stream()
                                .mapToLong(portion -> portion.longestWait)
                                .max()
                                .orElse(0));
    }
}
