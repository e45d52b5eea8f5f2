package io.holdfast.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the server's data. A server that restarts empty has forgotten locks in which their holders still believe,
 * until they renew or their leases end. So whoever has known the server before looks, on each new connection, whether its
 * epoch is still there, and takes no lock for the length of a lease if it isn't.
 *
 * <p>Leases of more than a minute are not waited for, and a client that never knew the earlier epoch relies on the others
 * to have left word; GUARANTEES.md says so.
 */
final class Epoch {

    private static final Logger log = LoggerFactory.getLogger(Epoch.class);

    private static final String[] KEY = {"holdfast:epoch"};
    private static final String KEPT = Long.toString(Duration.ofDays(30).toMillis());
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String description;
    private final AtomicLong longestLeaseNanos = new AtomicLong();
    private final AtomicBoolean toldOfRefusal = new AtomicBoolean();
    private volatile @Nullable String known;
    private volatile @Nullable Long lostAt;
    private volatile @Nullable Long grantsFrom;

    Epoch(String description) {
        this.description = description;
    }

    /** Looks whether the data is still what this store knew. The answer never fails: where it can't be had, life goes on. */
    CompletionStage<StatefulRedisConnection<String, String>> check(StatefulRedisConnection<String, String> connection) {
        String before = known;
        String[] args = {
            UUID.randomUUID().toString(),
            before == null ? "" : before,
            Long.toString(TimeUnit.NANOSECONDS.toMillis(longestLeaseNanos.get())),
            KEPT
        };
        return connection
                .async()
                .<List<Object>>eval(Script.EPOCH.text(), ScriptOutputType.MULTI, KEY, args)
                .handle((values, error) -> {
                    if (error == null) {
                        learnt(new Answer(values));
                    } else if (connection.isOpen() && toldOfRefusal.compareAndSet(false, true)) {
                        log.warn(
                                "{}: a restart that loses its data can't be noticed: {}",
                                description,
                                error.getMessage());
                    }
                    return connection;
                });
    }

    /** How long no lock may be taken for this lease, because one that was lost may still be believed in. */
    Duration waitBefore(Duration lease) {
        long nanos = bounded(lease);
        longestLeaseNanos.accumulateAndGet(nanos, Math::max);
        Long lost = lostAt;
        Long from = grantsFrom;
        if (lost == null && from == null) {
            return Duration.ZERO;
        }
        long now = System.nanoTime();
        long wait = 0;
        if (lost != null) {
            wait = lost + nanos - now;
        }
        if (from != null) {
            wait = Math.max(wait, from - now);
        }
        if (wait <= 0 && lost != null && now - lost > LONGEST_NANOS) {
            lostAt = null;
        }
        return Duration.ofNanos(Math.max(0, wait));
    }

    private void learnt(Answer answer) {
        known = answer.text(1);
        long now = System.nanoTime();
        long left = TimeUnit.MILLISECONDS.toNanos(answer.number(2));
        grantsFrom = left > 0 ? (Long) (now + left) : null;
        if (answer.tag().equals("lost")) {
            lostAt = now;
            log.warn(
                    "{} has lost its data since this client was connected last. Who held a lock may believe in it for a"
                            + " lease, so none is granted for as long ({} ms).",
                    description,
                    TimeUnit.NANOSECONDS.toMillis(Math.max(left, longestLeaseNanos.get())));
        }
    }

    private static long bounded(Duration lease) {
        return lease.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0 ? LONGEST_NANOS : lease.toNanos();
    }
}
