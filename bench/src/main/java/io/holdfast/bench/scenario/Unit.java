package io.holdfast.bench.scenario;

import java.util.Locale;

/** What a number counts, and how it is written. */
public enum Unit {
    PER_SECOND("/s"),
    MICROS("µs"),
    MILLIS("ms"),
    SECONDS("s"),
    BYTES("B"),
    MEGABYTES("MB"),
    PERCENT("%"),
    TIMES("×"),
    COUNT("");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    public String symbol() {
        return symbol;
    }

    /** Three significant digits or all before the point, whichever is more; millions in short. */
    public static String number(double value) {
        double size = Math.abs(value);
        if (size >= 1e7) {
            return String.format(Locale.ROOT, "%,.1f M", value / 1e6);
        }
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
    }

    public String format(double value) {
        if (symbol.isEmpty()) {
            return number(value);
        }
        boolean close = this == PER_SECOND || this == PERCENT;
        return number(value) + (close ? "" : " ") + symbol;
    }
}
