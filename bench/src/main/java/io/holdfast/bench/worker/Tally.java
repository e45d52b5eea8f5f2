package io.holdfast.bench.worker;

import org.HdrHistogram.Histogram;

/** What one thread counts. */
final class Tally {

    private final Window window;
    private final Histogram latencies = new Histogram(2);
    private long entered;
    private long counted;

    Tally(Window window) {
        this.window = window;
    }

    /** Something took from {@code begin} to {@code end}; it counts where it ended. */
    void add(long begin, long end) {
        entered++;
        if (window.contains(end)) {
            counted++;
            latencies.recordValue(end - begin);
        }
    }

    long counted() {
        return counted;
    }

    static Findings sum(Iterable<Tally> tallies) {
        Histogram all = new Histogram(2);
        long entered = 0;
        long counted = 0;
        for (Tally tally : tallies) {
            all.add(tally.latencies);
            entered += tally.entered;
            counted += tally.counted;
        }
        return new Findings()
                .put(Findings.ENTERED, entered)
                .put(Findings.COUNTED, counted)
                .latencies(all);
    }
}
