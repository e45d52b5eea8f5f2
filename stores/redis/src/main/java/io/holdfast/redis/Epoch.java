package io.holdfast.redis;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the server's data. A server that restarts has forgotten locks in which their holders still believe, until
 * they renew or their leases end: all of them, or those since its last snapshot. So whoever has known the server before
 * looks, on each new connection, whether it is still the same, and takes no lock for the length of a lease if it isn't.
 *
 * <p>Where nothing counts before the replicas have it, a promoted replica has the data, and its epoch with it. There only a
 * server that was restarted where it was, or lacks the epoch, has lost something.
 *
 * <p>A look that fails is not passed: over a connection on which it has not been answered nothing is granted, and the next
 * command has it made again.
 *
 * <p>What that leaves open stands in GUARANTEES.md.
 */
final class Epoch {

    private static final Logger log = LoggerFactory.getLogger(Epoch.class);

    private static final String KEPT = Long.toString(Duration.ofDays(365).toMillis());
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Longer leases are not written down; see {@link Tenure}. */
    static final Duration LONGEST_NOTED = Duration.ofMinutes(10);

    /** What a store knows of the data, whichever server has it. */
    static final class Memory {

        /** By the key that it is kept under. */
        private final Map<String, String> epochs = new ConcurrentHashMap<>();

        private final AtomicLong longestLeaseNanos = new AtomicLong();
        private final AtomicLong longestNotedMillis = new AtomicLong();
        private final Set<Runnable> unsure = ConcurrentHashMap.newKeySet();
        private final Map<String, String> tenures = new ConcurrentHashMap<>();
        private final AtomicLong highestToken = new AtomicLong();
        private final AtomicBoolean lacksWait = new AtomicBoolean();

        /** Whether a server has no WAIT: then nobody knows what its replicas have. */
        boolean lacksWait() {
            return lacksWait.get();
        }

        /** Notes that the store is asked to keep something for so long. */
        long asked(Duration lease) {
            if (lease.compareTo(LONGEST_NOTED) <= 0) {
                longestNotedMillis.accumulateAndGet(lease.plusNanos(999_999).toMillis(), Math::max);
            }
            long nanos = bounded(lease);
            longestLeaseNanos.accumulateAndGet(nanos, Math::max);
            return nanos;
        }

        /** The longest lease that the store was asked for, of those that are written down. */
        long longestMillis() {
            return longestNotedMillis.get();
        }

        /** Calls that when the data may have lost something; the answer ends it. */
        Runnable whenUnsure(Runnable look) {
            unsure.add(look);
            return () -> unsure.remove(look);
        }

        private void isUnsure() {
            unsure.forEach(Runnable::run);
        }

        /** Notes which tenure it is, by the key of its record. */
        void saw(String key, String tenure) {
            String before = tenures.put(key, tenure);
            if (before != null && !before.equals(tenure)) {
                isUnsure();
            }
        }

        /** Notes that a token was granted: no server's clock that is behind it may grant a lower one. */
        void granted(long token) {
            if (token > highestToken.get()) {
                highestToken.accumulateAndGet(token, Math::max);
            }
        }
    }

    private final String description;
    private final boolean replicated;
    private final Memory memory;
    private final Tenure tenure;
    private final AtomicBoolean toldOfRefusal = new AtomicBoolean();
    private volatile @Nullable StatefulConnection<String, String> checked;
    private volatile int checkedSlot;
    private final AtomicInteger doubts = new AtomicInteger();
    private volatile @Nullable MasterLocation lastLocation;
    private volatile String lastRun = "";
    private volatile @Nullable Long lostAt;
    private volatile @Nullable Long grantsFrom;

    /** @param replicated whether replicas have all that counts */
    Epoch(String description, boolean replicated, Memory memory, Tenure tenure) {
        this.description = description;
        this.replicated = replicated;
        this.memory = memory;
        this.tenure = tenure;
    }

    /** Whether the data behind this link is known to be what this store knew, or to have been lost: then locks may be granted. */
    boolean isChecked(Link link, int slot) {
        return checked == link.commands() && checkedSlot == slot;
    }

    /** The same as {@link #check}; a failure that is not passing leaves a link over which nothing is granted for now. */
    CompletionStage<Link> tryCheck(Link link, String key, int slot) {
        return check(link, key, slot).exceptionally(error -> {
            if (isPassing(error)) {
                throw error instanceof CompletionException known ? known : new CompletionException(error);
            }
            if (link.isOpen() && toldOfRefusal.compareAndSet(false, true)) {
                log.warn(
                        "{}: it can't be seen whether a restart has lost data, so nothing is granted until it can: {}",
                        description,
                        cause(error).getMessage());
            }
            return link;
        });
    }

    /**
     * Looks whether the data is still what this store knew, and fails if that can't be seen. A server that is not ready yet,
     * or not the master, is no connection.
     *
     * @param key empty for a server of a cluster without slots, which has no place for an epoch
     * @param slot that of the key, if it has one
     */
    CompletionStage<Link> check(Link link, String key, int slot) {
        MasterLocation last = lastLocation;
        String[] args = {
            UUID.randomUUID().toString(),
            key.isEmpty() ? "" : memory.epochs.getOrDefault(key, ""),
            Long.toString(TimeUnit.NANOSECONDS.toMillis(memory.longestLeaseNanos.get())),
            KEPT,
            replicated && !memory.lacksWait() ? "d" : "",
            last != null && last.isAt(link.location()) ? lastRun : "",
            lastRun,
            Long.toString(memory.highestToken.get())
        };
        String[] keys = key.isEmpty() ? new String[0] : new String[] {key};
        int before = doubts.get();
        CompletionStage<List<Object>> answer;
        try {
            answer = link.commands().async().eval(Script.EPOCH.text(), ScriptOutputType.MULTI, keys, args);
        } catch (RuntimeException e) { // what Lettuce throws instead of failing the command
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.thenCompose(values -> {
                    lastLocation = link.location();
                    learnt(key, new Answer(values));
                    return tenure.check(link);
                })
                .handle((same, error) -> {
                    if (error == null) {
                        checkedSlot = slot;
                        checked = doubts.get() == before ? link.commands() : null;
                        return link;
                    }
                    if (isPassing(error)) {
                        link.closeAsync();
                    }
                    throw new CompletionException(cause(error));
                });
    }

    /** The server may have lost something since it was checked, over the same connection. */
    void uncheck() {
        doubts.incrementAndGet();
        checked = null;
    }

    /** It turned out that replicas can't be waited for, so that they need not have all that counts. */
    void lacksWait() {
        if (memory.lacksWait.compareAndSet(false, true)) {
            log.warn("{} has no WAIT, so nothing is waited for: a failover may lose the last grants", description);
        }
    }

    /** The run of the server that answered last, or nothing if it does not tell. */
    String run() {
        return lastRun;
    }

    /** How long no lock may be taken for this lease, because one that was lost may still be believed in. */
    Duration waitBefore(Duration lease) {
        long nanos = memory.asked(lease);
        Long lost = lostAt;
        Long from = grantsFrom;
        long wait = tenure.left().toNanos();
        if (lost == null && from == null) {
            return Duration.ofNanos(wait);
        }
        long now = System.nanoTime();
        if (lost != null) {
            wait = Math.max(wait, lost + nanos - now);
        }
        if (from != null) {
            wait = Math.max(wait, from - now);
        }
        if (wait <= 0 && lost != null && now - lost > LONGEST_NANOS) {
            lostAt = null;
        }
        return Duration.ofNanos(Math.max(0, wait));
    }

    /** Whether that is the epoch of what is kept under the key, as far as is known, and locks are granted in it. */
    boolean grantsIn(String epoch, String key) {
        long now = System.nanoTime();
        Long lost = lostAt;
        Long from = grantsFrom;
        return epoch.equals(memory.epochs.get(key))
                && tenure.left().isZero()
                && (lost == null || now - lost > LONGEST_NANOS)
                && (from == null || from - now <= 0);
    }

    private void learnt(String key, Answer answer) {
        if (!key.isEmpty()) {
            memory.epochs.put(key, answer.text(1));
        }
        lastRun = answer.text(4);
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
            memory.isUnsure();
        }
    }

    private boolean isPassing(Throwable thrown) {
        Throwable error = cause(thrown);
        return error instanceof RedisLoadingException
                || error instanceof RedisBusyException
                || (replicated && String.valueOf(error.getMessage()).contains("READONLY"));
    }

    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private static long bounded(Duration lease) {
        return lease.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0 ? LONGEST_NANOS : lease.toNanos();
    }
}
