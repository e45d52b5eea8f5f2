package io.holdfast.simulation;

/** Lengths of time, in nanoseconds. */
final class Time {

    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    private Time() {}

    /** Milliseconds with three decimals, without touching floating point. */
    static String show(long nanos) {
        long micros = nanos / MICRO;
        String fraction = Long.toString(1_000 + Math.abs(micros % 1_000)).substring(1);
        return micros / 1_000 + "." + fraction + " ms";
    }
}
