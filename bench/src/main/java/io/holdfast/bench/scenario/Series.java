package io.holdfast.bench.scenario;

import java.util.List;

/**
 * A number that a scenario gives at several sizes: a metric for each of them, a line in a plot.
 *
 * @param id what the ids of the metrics begin with; the size is the rest
 * @param counted what the size is a number of
 * @param sizes in ascending order
 */
public record Series(String id, String title, Unit unit, boolean more, String counted, List<Integer> sizes) {

    /** The title with the unit, where the title does not say it. */
    public String titleWithUnit() {
        boolean said = unit == Unit.COUNT || unit == Unit.PER_SECOND;
        return said ? title : title + " in " + unit.symbol();
    }

    public Metric at(int size) {
        return new Metric(id + size, size + " " + counted + ", " + title, unit, more, false);
    }

    public List<Metric> metrics() {
        return sizes.stream().map(this::at).toList();
    }

    public Metric last() {
        return at(sizes.get(sizes.size() - 1));
    }
}
