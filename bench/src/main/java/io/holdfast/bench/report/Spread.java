package io.holdfast.bench.report;

import java.util.List;

/** The middle and the ends of what several rounds gave. */
public record Spread(double median, double min, double max, int rounds) {

    /**
     * Of these values.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1), sorted.size());
    }

    /** Half the distance between the ends, in percent of the median: the 5 of "1,000 ± 5 %". */
    public double percent() {
        return median == 0 ? 0 : 100 * (max - min) / 2 / Math.abs(median);
    }
}
