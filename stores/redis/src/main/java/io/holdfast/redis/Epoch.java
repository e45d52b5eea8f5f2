package io.holdfast.redis;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the server's data. A server that restarts has forgotten locks in which their holders still believe, until
 * they renew or their leases end: all of them, or those since its last snapshot. So whoever has known the server before
 * looks, on each new connection, whether it is still the same, and takes no lock for the length of a lease if it isn't.
 *
 * <p>What that leaves open stands in GUARANTEES.md.
 */
final class Epoch {

    private static final Logger log = LoggerFactory.getLogger(Epoch.class);

    private static final String[] KEY = {"holdfast:epoch"};
    private static final String KEPT = Long.toString(Duration.ofDays(365).toMillis());
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

    /**
     * Looks whether the data is still what this store knew. A server that is not ready yet is no connection; where the
     * answer can't be had at all, life goes on without.
     */
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
                    } else if (isPassing(error)) {
                        connection.closeAsync();
                        throw new CompletionException(error);
                    } else if (connection.isOpen() && toldOfRefusal.compareAndSet(false, true)) {
                        log.warn(
                                "{}: a restart that loses its data can't be noticed: {}",
                                description,
                                error.getMessage());
                    }
                    return connection;
                });
    }

    /** Notes that the store is asked to keep something for so long. */
    long asked(Duration lease) {
        long nanos = bounded(lease);
        longestLeaseNanos.accumulateAndGet(nanos, Math::max);
        return nanos;
    }

    /** How long no lock may be taken for this lease, because one that was lost may still be believed in. */
    Duration waitBefore(Duration lease) {
        long nanos = asked(lease);
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
        // Bounded, since it is the server's wall clock that is behind it, and that may have been set.
        long left = Math.min(TimeUnit.MILLISECONDS.toNanos(answer.number(2)), LONGEST_NANOS);
        grantsFrom = left > 0 ? (Long) (now + left) : null;
        if (answer.tag().equals("lost")) {
            lostAt = now - Math.min(TimeUnit.MILLISECONDS.toNanos(answer.number(3)), LONGEST_NANOS);
            log.warn(
                    "{} has been restarted since this client was connected last, and may have lost locks that their"
                            + " holders still believe in. None is granted until their leases are over ({} ms).",
                    description,
                    TimeUnit.NANOSECONDS.toMillis(left));
        }
    }

    private static boolean isPassing(Throwable error) {
        return error instanceof RedisLoadingException || error instanceof RedisBusyException;
    }

    private static long bounded(Duration lease) {
        return lease.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0 ? LONGEST_NANOS : lease.toNanos();
    }
}
