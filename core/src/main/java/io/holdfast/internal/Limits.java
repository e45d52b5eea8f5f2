package io.holdfast.internal;

import io.holdfast.spi.Messages;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** What callers may pass, checked before any I/O. */
public final class Limits {

    public static final int MAX_NAME_BYTES = 1_024;
    static final long MAX_RAISED_TOKEN = 1L << 52;

    /** With the mark of a candidate, it fits where the stores keep the name of a thread. */
    public static final int MAX_VALUE_BYTES = 256;

    static final Duration MIN_LEASE = Duration.ofMillis(10);
    static final Duration MAX_LEASE = Duration.ofDays(365);
    public static final Duration MIN_WATCHDOG_LEASE = Duration.ofMillis(100);

    /** The {@code lease} argument that Redisson's users pass for "keep it until I unlock". */
    public static final long WATCHDOG = -1;

    private Limits() {}

    /** The name itself, if it is one. */
    public static String name(String name) {
        return text("the name of a lock", name);
    }

    /** What a count-down may be called: anything that a name may be. */
    public static String countDownId(String id) {
        return text("the id of a count-down", id);
    }

    public static long count(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("a latch must be set to at least 1, not " + count);
        }
        return count;
    }

    /** What a leader shows its followers: one line, which no store changes. */
    public static String electionValue(String value) {
        String what = "the value of a candidate";
        text(what, value);
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    what + " must not be longer than " + MAX_VALUE_BYTES + " bytes of UTF-8");
        }
        if (!Messages.line(value).equals(value)) {
            throw new IllegalArgumentException(what
                    + " must be one line, without control characters and without what changes the direction of text");
        }
        return value;
    }

    private static String text(String what, String text) {
        Objects.requireNonNull(text, () -> what + " must not be null");
        if (text.isEmpty()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        // A char is at most 3 bytes of UTF-8, so only long names need to be counted.
        if (text.length() > MAX_NAME_BYTES / 3 && text.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(what + " must not be longer than " + MAX_NAME_BYTES + " bytes of UTF-8");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new IllegalArgumentException(what + " must not contain NUL (at index " + i + ")");
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new IllegalArgumentException(
                            what + " must not contain an unpaired surrogate (at index " + i + ")");
                }
                i++;
            }
        }
        return text;
    }

    /** What a listing may look for: nothing, or the beginning of a name. */
    public static String prefix(String prefix) {
        Objects.requireNonNull(prefix, "a prefix must not be null; the empty one is that of all names");
        return prefix.isEmpty() ? prefix : name(prefix);
    }

    /** A token that others are to be above, with room for as many again below 2^53. */
    public static long token(long token) {
        if (token < 1 || token > MAX_RAISED_TOKEN) {
            throw new IllegalArgumentException(
                    "a token to raise others above must be from 1 to " + MAX_RAISED_TOKEN + ", not " + token);
        }
        return token;
    }

    public static int permits(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("at least 1 permit, not " + permits);
        }
        return permits;
    }

    /** How long a lock may linger. */
    public static Duration linger(Duration linger) {
        if (linger.isNegative()) {
            throw new IllegalArgumentException("a time to linger must not be negative, but is " + linger);
        }
        return linger.compareTo(MAX_LEASE) > 0 ? MAX_LEASE : linger;
    }

    public static Duration lease(Duration lease) {
        if (lease.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("a lease must be at least 1 ms, not " + lease);
        }
        if (lease.compareTo(MIN_LEASE) < 0) {
            return MIN_LEASE;
        }
        return lease.compareTo(MAX_LEASE) > 0 ? MAX_LEASE : lease;
    }

    public static Duration watchdogLease(Duration lease) {
        if (lease.compareTo(MIN_WATCHDOG_LEASE) < 0) {
            throw new IllegalArgumentException("a lease that is to be renewed must be at least "
                    + MIN_WATCHDOG_LEASE.toMillis() + " ms, not " + lease);
        }
        return lease(lease);
    }

    /** How long a client may go on trying. */
    public static Duration timeout(Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("a time-out must be at least 1 ms, not " + timeout);
        }
        return timeout.compareTo(MAX_LEASE) > 0 ? MAX_LEASE : timeout;
    }

    /** What a client may call itself: servers and listings show it in one line. */
    public static String clientName(String name) {
        if (name.isEmpty() || name.length() > 128 || name.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw new IllegalArgumentException(
                    "a client's name must be 1 to 128 visible ASCII characters without spaces");
        }
        return name;
    }

    /** How long a caller waits; less than nothing is nothing. */
    public static long waitNanos(Duration wait) {
        return wait.isNegative() ? 0 : saturatedNanos(wait);
    }

    public static Duration duration(long time, TimeUnit unit) {
        return Duration.ofNanos(unit.toNanos(time));
    }

    /** Nanoseconds, at most what a monotonic clock can be compared over (146 years). */
    public static long saturatedNanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) >= 0 ? Long.MAX_VALUE / 2 : duration.toNanos();
    }
}
