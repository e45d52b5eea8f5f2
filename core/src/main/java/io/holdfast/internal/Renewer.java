package io.holdfast.internal;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews claims in batches, those that hold and those that wait. Each claim has one timer that says when it is next due; what comes due within a moment goes
 * out together, a batch for each shard, so that a shard that is slow or gone holds up nobody else.
 */
final class Renewer {

    private static final int BATCH = 256;
    private static final long GATHER_NANOS = 1_000_000;

    /** Hears how a claim stands, or that the store did not say. */
    interface Answer {
        void renewed(Claim claim, long sentAt, @Nullable Standing standing, @Nullable Throwable failure);
    }

    private record Renewal(Supplier<Claim> claim, Answer answer) {}

    private record Sent(Claim claim, Answer answer) {}

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

    /** When a claim that waits is looked at next: after a third of the time for which its place is kept, or earlier. */
    long nextLook() {
        long place = Claim.PLACE.toNanos();
        long at = engine.now() + place / 3;
        return at - Math.floorMod(at - engine.jitter(place / 6), place / 6);
    }

    /** @param claim what is sent, as it is then */
    void renew(Supplier<Claim> claim, Answer answer) {
        due.add(new Renewal(claim, answer));
        if (armed.compareAndSet(false, true)) {
            engine.timers().arm(timer, engine.now() + GATHER_NANOS);
        }
    }

    private void send() {
        armed.set(false);
        Map<String, List<Sent>> shards = new HashMap<>();
        for (Renewal next = due.poll(); next != null; next = due.poll()) {
            Claim claim = next.claim.get();
            shards.computeIfAbsent(engine.store().shard(claim.name()), shard -> new ArrayList<>())
                    .add(new Sent(claim, next.answer));
        }
        for (List<Sent> shard : shards.values()) {
            for (int from = 0; from < shard.size(); from += BATCH) {
                send(shard.subList(from, Math.min(from + BATCH, shard.size())));
            }
        }
    }

    private void send(List<Sent> batch) {
        List<Claim> claims = batch.stream().map(Sent::claim).toList();
        long sentAt = engine.now();
        engine.call(() -> engine.store().renew(claims), (standings, failure) -> {
            for (Sent sent : batch) {
                Standing standing = standings == null ? null : standings.get(sent.claim.id());
                if (standing == Standing.UNKNOWN) {
                    sent.answer.renewed(sent.claim, sentAt, null, notKnown(sent.claim));
                } else {
                    sent.answer.renewed(sent.claim, sentAt, standing, failure);
                }
            }
        });
    }

    private StoreUnavailableException notKnown(Claim claim) {
        return new StoreUnavailableException(
                Label.of(claim) + ": " + engine.store().description() + " does not know how it stands");
    }
}
