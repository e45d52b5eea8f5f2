package io.holdfast.micrometer;

import io.holdfast.LockEvent;
import io.holdfast.LockEvent.Granted;
import io.holdfast.LockEvent.NotGranted;
import io.holdfast.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The meters of the locks of one tag, or of all. */
final class LockMeters {

    private final Map<Granted.Path, Timer> granted = new EnumMap<>(Granted.Path.class);
    private final Map<NotGranted.Cause, Timer> notGranted = new EnumMap<>(NotGranted.Cause.class);
    private final Map<LossReason, Counter> lost = new EnumMap<>(LossReason.class);
    private final Timer hold;

    LockMeters(MeterRegistry registry, Tags tags, LocalCounts counts, String tag) {
        for (Granted.Path path : Granted.Path.values()) {
            granted.put(path, waits(registry, tags, "granted", nameOf(path)));
        }
        for (NotGranted.Cause cause : NotGranted.Cause.values()) {
            notGranted.put(cause, waits(registry, tags, nameOf(cause), "none"));
        }
        for (LossReason reason : LossReason.values()) {
            lost.put(
                    reason,
                    Counter.builder("holdfast.lock.lost")
                            .description("Holds that ended before they were given back")
                            .tags(tags)
                            .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        hold = Timer.builder("holdfast.lock.hold")
                .description("How long locks were held")
                .tags(tags)
                .register(registry);
        Gauge.builder("holdfast.lock.held", counts, all -> all.held(tag))
                .description("What callers of this client hold now")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        Gauge.builder("holdfast.lock.waiting", counts, all -> all.waiting(tag))
                .description("Callers of this client that wait now")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private static Timer waits(MeterRegistry registry, Tags tags, String outcome, String path) {
        return Timer.builder("holdfast.lock.wait")
                .description("Requests, from asking to the answer")
                .tags(tags)
                .tag("outcome", outcome)
                .tag("path", path)
                .register(registry);
    }

    static String nameOf(Granted.Path path) {
        return switch (path) {
            case STORE -> "store";
            case HAND_OFF -> "handoff";
            case LINGER -> "linger";
        };
    }

    static String nameOf(NotGranted.Cause cause) {
        return switch (cause) {
            case TIMED_OUT -> "timeout";
            case INTERRUPTED -> "interrupted";
            case CANCELLED -> "cancelled";
            case REFUSED -> "refused";
            case FAILED -> "error";
        };
    }

    void granted(Granted event) {
        Timer timer = granted.get(event.path());
        if (timer != null) {
            timer.record(event.after());
        }
    }

    void notGranted(NotGranted event) {
        Timer timer = notGranted.get(event.cause());
        if (timer != null) {
            timer.record(event.after());
        }
    }

    void held(Duration time) {
        hold.record(time);
    }

    void lost(LockEvent.Lost event) {
        Counter counter = lost.get(event.reason());
        if (counter != null) {
            counter.increment();
        }
        if (!event.released()) {
            hold.record(event.held());
        }
    }
}
