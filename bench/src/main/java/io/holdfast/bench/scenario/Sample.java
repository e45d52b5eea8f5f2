package io.holdfast.bench.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one measurement of one contestant gave: numbers, or the reason why there are none. */
public final class Sample {

    private final Map<String, Double> values = new LinkedHashMap<>();
    private final Map<String, String> notes = new LinkedHashMap<>();
    private @Nullable Histogram latencies;
    private @Nullable String fault;
    private boolean broken;

    public static Sample of(Metric metric, double value) {
        return new Sample().put(metric, value);
    }

    /** Another holder was in the lock, too. */
    public static Sample broken(String why) {
        Sample sample = failed(why);
        sample.broken = true;
        return sample;
    }

    public static Sample failed(String why) {
        Sample sample = new Sample();
        sample.fault = why;
        return sample;
    }

    public Sample put(Metric metric, double value) {
        values.put(metric.id(), value);
        return this;
    }

    public Sample note(String title, String text) {
        notes.put(title, text);
        return this;
    }

    public Sample latencies(Histogram histogram) {
        latencies = histogram;
        return this;
    }

    /** By the id of the metric. */
    public Map<String, Double> values() {
        return values;
    }

    /** What is worth reading but no number. */
    public Map<String, String> notes() {
        return notes;
    }

    /** Nanoseconds; only where their distribution is the point. */
    public @Nullable Histogram latencies() {
        return latencies;
    }

    /** Why there is no result, or {@code null}. */
    public @Nullable String fault() {
        return fault;
    }

    public boolean isBroken() {
        return broken;
    }
}
