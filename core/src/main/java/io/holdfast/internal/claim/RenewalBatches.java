package io.holdfast.internal.claim;

import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.Timed;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews claims in batches, held and queued ones. Each says when it is due; what comes due within a moment goes
 * out together, a batch for each shard, so that a shard that is slow or gone delays no other one.
 */
public final class RenewalBatches {

    private static final Logger log = LoggerFactory.getLogger(RenewalBatches.class);

    /** What goes out together. It is due when there should be an answer. */
    private final class Batch extends Timed {
        final List<Claim> claims = new ArrayList<>();
        final List<Renewable> renewed = new ArrayList<>();
        final String shard;
        long answerBy;
        long sentAt;

        /** Whether the claims were told that there is no answer. */
        boolean unanswered;

        Batch(String shard) {
            this.shard = shard;
        }

        void add(Claim claim, Renewable its, long by) {
            answerBy = claims.isEmpty() || by - answerBy < 0 ? by : answerBy;
            claims.add(claim);
            renewed.add(its);
        }

        @Override
        public void due() {
            long now = engine.now();
            StoreUnavailableException noAnswer = engine.noAnswer("Renewing", now - sentAt);
            engine.outages().failed(shard, sentAt, noAnswer);
            unanswered = true;
            renewed.forEach(claim -> claim.renewalFailed(noAnswer));
            renewed.forEach(Renewable::unanswered);
        }
    }

    private final ClaimContext engine;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Renewable> due = new ArrayList<>();
    private final Timer timer = new Timer(this::send);

    public RenewalBatches(ClaimContext engine) {
        this.engine = engine;
    }

    /**
     * When a claim with this lease that was set at {@code sentAt} is renewed next: after a third of the lease, less up to
     * a thirtieth of it so that the claims of one client fall due together, and the claims of several clients don't.
     */
    long nextDue(long sentAt, long leaseNanos) {
        return together(sentAt + leaseNanos / Tuning.RENEWALS_PER_LEASE, leaseNanos / Tuning.RENEWAL_GRID);
    }

    /** When to ask again, about a lease that is running out, if there is no answer; a little earlier for the same reason. */
    long nextRetry(long now, long leaseNanos) {
        long patience = Math.min(engine.replyTimeoutNanos(), leaseNanos / Tuning.RENEWAL_RETRIES_PER_LEASE);
        return together(now + patience, patience / Tuning.RETRY_GRID);
    }

    /** When a claim that waits is looked at next: after a third of the time for which its place is kept, or earlier. */
    long nextLook() {
        long ticket = Claim.TICKET.toNanos();
        return together(engine.now() + ticket / Tuning.LOOKS_PER_TICKET, ticket / Tuning.LOOK_GRID);
    }

    private long together(long at, long tick) {
        return at - Math.floorMod(at - engine.jitter(tick), Math.max(1, tick));
    }

    public void renew(Renewable claim) {
        boolean first;
        lock.lock();
        try {
            first = due.isEmpty();
            due.add(claim);
        } finally {
            lock.unlock();
        }
        if (first) {
            engine.timers().arm(timer, engine.now() + Tuning.RENEWAL_GATHER_NANOS);
        }
    }

    private List<Renewable> takeDue() {
        lock.lock();
        try {
            List<Renewable> taken = due;
            due = new ArrayList<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void send() {
        long now = engine.now();
        Map<String, Batch> shards = new HashMap<>();
        for (Renewable next : takeDue()) {
            try {
                gather(next, shards, now);
            } catch (RuntimeException | Error e) { // the other claims go on, and so does this one
                log.error("A claim could not be renewed; it will be tried again", e);
                next.unanswered();
            }
        }
        shards.values().forEach(this::send);
    }

    private void gather(Renewable next, Map<String, Batch> shards, long now) {
        Claim claim = next.toRenew();
        long retry = nextRetry(now, claim.lease().toNanos());
        long latest = next.answerBy(now);
        String shard = engine.store().shard(claim.name());
        Batch batch = shards.computeIfAbsent(shard, Batch::new);
        batch.add(claim, next, retry - latest < 0 ? retry : latest);
        if (batch.claims.size() == Tuning.RENEWAL_BATCH) {
            shards.remove(shard);
            send(batch);
        }
    }

    private void send(Batch batch) {
        long sentAt = engine.now();
        batch.sentAt = sentAt;
        engine.timers().arm(batch, batch.answerBy);
        engine.call(
                Command.RENEW,
                null,
                batch.claims.size(),
                () -> engine.store().renew(batch.claims),
                (statuses, failure) -> {
                    boolean all = statuses != null;
                    if (failure == null) {
                        engine.outages().answered(batch.shard);
                    } else {
                        engine.outages().failed(batch.shard, sentAt, failure);
                    }
                    for (int i = 0; i < batch.claims.size(); i++) {
                        Claim claim = batch.claims.get(i);
                        Renewable its = batch.renewed.get(i);
                        ClaimStatus status = statuses == null ? null : statuses.get(claim.id());
                        Throwable why = status == ClaimStatus.UNKNOWN ? notKnown(claim) : failure;
                        if (why != null && !batch.unanswered) {
                            its.renewalFailed(why);
                        }
                        all &= status != ClaimStatus.UNKNOWN;
                        its.renewed(claim, sentAt, status == ClaimStatus.UNKNOWN ? null : status, why);
                    }
                    if (all) {
                        engine.timers().cancel(batch);
                    }
                });
    }

    private StoreUnavailableException notKnown(Claim claim) {
        return new StoreUnavailableException(
                claim.label() + ": " + engine.store().description() + " does not know how it stands");
    }
}
