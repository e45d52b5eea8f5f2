package io.holdfast.internal;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Renews claims in batches. Each claim has one timer that says when it is next due; what comes due within a moment goes
 * out together, a batch for each shard, so that a shard that is slow or gone holds up nobody else.
 */
final class Renewer {

    private static final int BATCH = 256;
    private static final long GATHER_NANOS = 1_000_000;

    private record Renewal(RemoteClaim remote, Claim claim) {}

    private final Engine engine;
    private final Queue<Renewal> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Timer timer = new Timer(this::send);

    Renewer(Engine engine) {
        this.engine = engine;
    }

    /**
     * When a claim with this lease that was set at {@code sentAt} is renewed next: after a third of the lease, less up to
     * a thirtieth of it so that the claims of one client fall due together, and those of several don't.
     */
    long nextDue(long sentAt, long leaseNanos) {
        long tick = leaseNanos / 30;
        long at = sentAt + leaseNanos / 3;
        return at - Math.floorMod(at - engine.jitter(tick), tick);
    }

    /** How long to wait for an answer before asking again, of a lease that is running out. */
    long retryNanos(long leaseNanos) {
        return Math.min(engine.replyTimeoutNanos(), leaseNanos / 9);
    }

    void renew(RemoteClaim remote, Claim claim) {
        due.add(new Renewal(remote, claim));
        if (armed.compareAndSet(false, true)) {
            engine.timers().arm(timer, engine.now() + GATHER_NANOS);
        }
    }

    private void send() {
        armed.set(false);
        Map<String, List<Renewal>> shards = new HashMap<>();
        for (Renewal next = due.poll(); next != null; next = due.poll()) {
            shards.computeIfAbsent(engine.store().shard(next.claim.name()), shard -> new ArrayList<>())
                    .add(next);
        }
        for (List<Renewal> shard : shards.values()) {
            for (int from = 0; from < shard.size(); from += BATCH) {
                send(shard.subList(from, Math.min(from + BATCH, shard.size())));
            }
        }
    }

    private void send(List<Renewal> batch) {
        List<Claim> claims = batch.stream().map(Renewal::claim).toList();
        long sentAt = engine.now();
        engine.call(() -> engine.store().renew(claims)).whenComplete((held, failure) -> {
            for (Renewal renewal : batch) {
                engine.keeper().renewed(renewal.remote, renewal.claim, sentAt, isHeld(held, renewal), failure);
            }
        });
    }

    private static boolean isHeld(@Nullable Map<String, Standing> held, Renewal renewal) {
        return held != null && held.get(renewal.claim.id()) == Standing.HELD;
    }
}
