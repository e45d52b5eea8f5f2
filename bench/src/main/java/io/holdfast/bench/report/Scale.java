package io.holdfast.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Where a value is on an axis that begins at {@code from} and ends at {@code to}, on the drawing. */
record Scale(double least, double most, double from, double to, boolean logarithmic) {

    /** Beyond this, the small ones could not be seen beside the large ones. */
    private static final double LOGARITHMIC_FROM = 60;

    /** In even steps, or in powers of ten where the values are too far apart for that. */
    static Scale fitting(Collection<Double> values, double from, double to) {
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double least = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .min()
                .orElse(most);
        return most / least > LOGARITHMIC_FROM ? logarithmic(least / 2, most, from, to) : linear(most, from, to);
    }

    /** From zero to a little more than the largest, in even steps. */
    static Scale linear(double most, double from, double to) {
        double end = most <= 0 ? 1 : most;
        double step = step(end);
        return new Scale(0, Math.ceil(end / step) * step, from, to, false);
    }

    /** From one power of ten to another. Zero has no place here, and is put at the beginning. */
    static Scale logarithmic(double least, double most, double from, double to) {
        double low = Math.floor(Math.log10(Math.max(least, 1e-9)));
        double high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(most, 1e-9))));
        return new Scale(Math.pow(10, low), Math.pow(10, high), from, to, true);
    }

    double at(double value) {
        double part = logarithmic
                ? (Math.log10(Math.max(value, least)) - Math.log10(least)) / (Math.log10(most) - Math.log10(least))
                : (value - least) / (most - least);
        return from + Math.max(0, Math.min(1, part)) * (to - from);
    }

    /** Values that are worth a line. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            int decades = (int) Math.round(Math.log10(most) - Math.log10(least));
            int every = Math.max(1, (decades + 5) / 6);
            for (int i = 0; i <= decades; i += every) {
                ticks.add(least * Math.pow(10, i));
            }
        } else {
            double step = step(most);
            for (int i = 0; i * step <= most * 1.001; i++) {
                ticks.add(i * step);
            }
        }
        return ticks;
    }

    /** 1, 2 or 5 times a power of ten, so that there are two to five of them. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        double first = most / power;
        if (first <= 2) {
            return power / 2;
        }
        return first <= 5 ? power : power * 2;
    }
}
