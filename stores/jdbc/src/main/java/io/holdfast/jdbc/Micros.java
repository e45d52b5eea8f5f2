package io.holdfast.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Microseconds, in which the database counts. */
final class Micros {

    private Micros() {}

    /** Rounded up: nothing ends earlier than it was promised. */
    static long of(Duration duration) {
        return duration.plusNanos(999).toNanos() / 1_000;
    }

    /** Rounded up, as durations are. */
    static long ofNanos(long nanos) {
        return -Math.floorDiv(-nanos, 1_000L);
    }

    static long nanos(long micros) {
        return micros * 1_000;
    }

    static long of(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
