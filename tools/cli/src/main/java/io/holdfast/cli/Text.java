package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How people are told of things. */
final class Text {

    private Text() {}

    /** One line, whatever it contains: names may contain anything. */
    static String line(String text) {
        return Messages.line(text);
    }

    static String quoted(String name) {
        return "'" + line(name) + "'";
    }

    static String mode(Claimant claimant) {
        return claimant.mode() == Mode.PERMITS
                ? claimant.permits() + (claimant.permits() == 1 ? " permit" : " permits")
                : claimant.mode().name().toLowerCase(Locale.ROOT);
    }

    /** The owner; a claim of another library is known by its id alone. */
    static String who(Claimant claimant) {
        if (claimant.client() == null) {
            return line(claimant.claimId());
        }
        List<String> where = new ArrayList<>();
        where.add(claimant.client());
        if (claimant.host() != null) {
            where.add("on " + claimant.host());
        }
        return line(String.join(" ", where) + (claimant.process() == null ? "" : ", process " + claimant.process()));
    }

    static String latch(LatchState latch) {
        if (!latch.exists()) {
            return "not set";
        }
        return latch.isOpen() ? "open" : latch.count() + " to go";
    }

    static String token(Claimant claimant) {
        return claimant.token() == null ? "-" : claimant.token().toString();
    }

    static String time(@Nullable Instant instant) {
        return instant == null ? "-" : instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String duration(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis < 10_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        long seconds = millis / 1000;
        if (seconds < 120) {
            return seconds + " s";
        }
        return seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }
}
