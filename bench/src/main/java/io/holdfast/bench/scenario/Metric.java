package io.holdfast.bench.scenario;

/**
 * One of the numbers that a scenario gives.
 *
 * @param id its name in the JSON file
 * @param title what a reader sees
 * @param more whether more is better
 * @param headline whether it is in the table; the rest are in the report
 */
public record Metric(String id, String title, Unit unit, boolean more, boolean headline) {

    static Metric more(String id, String title, Unit unit) {
        return new Metric(id, title, unit, true, false);
    }

    static Metric less(String id, String title, Unit unit) {
        return new Metric(id, title, unit, false, false);
    }

    Metric asHeadline() {
        return new Metric(id, title, unit, more, true);
    }
}
