package io.holdfast.tck;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the clients of one lock ask of their stores, and what these stores tell them. */
final class HandOverCounter {

    /**
     * What was counted up to a moment.
     *
     * @param commands claims and releases
     * @param renewals of the claims that held, each claim by itself
     * @param ticketRenewals of the claims that waited; these depend on time rather than on hand-overs
     * @param notifications of any kind that reached a client
     */
    record Count(long commands, long renewals, long ticketRenewals, long notifications) {

        Count since(Count earlier) {
            return new Count(
                    commands - earlier.commands,
                    renewals - earlier.renewals,
                    ticketRenewals - earlier.ticketRenewals,
                    notifications - earlier.notifications);
        }
    }

    private final AtomicLong commands = new AtomicLong();
    private final AtomicLong renewals = new AtomicLong();
    private final AtomicLong ticketRenewals = new AtomicLong();
    private final AtomicLong notifications = new AtomicLong();

    /** The ids of the claims that have a ticket, as far as their clients know. */
    private final Set<String> tickets = ConcurrentHashMap.newKeySet();

    Count count() {
        return new Count(commands.get(), renewals.get(), ticketRenewals.get(), notifications.get());
    }

    /** How many claims wait in the store's queue. */
    int waiting() {
        return tickets.size();
    }

    /** The store of one client. */
    LockStore counted(LockStore store) {
        return new Counted(store);
    }

    private final class Counted extends ForwardingStore {

        Counted(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            commands.incrementAndGet();
            return super.claim(claim).thenApply(outcome -> {
                if (outcome instanceof ClaimResult.Granted) {
                    tickets.remove(claim.id());
                } else if (claim.policy().queues()) {
                    tickets.add(claim.id());
                }
                return outcome;
            });
        }

        @Override
        public CompletionStage<ReleaseResult> release(Claim claim) {
            commands.incrementAndGet();
            tickets.remove(claim.id());
            return super.release(claim);
        }

        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
            for (Claim claim : claims) {
                (tickets.contains(claim.id()) ? ticketRenewals : renewals).incrementAndGet();
            }
            return super.renew(claims);
        }

        @Override
        public Subscription watch(Resource resource, Runnable changed) {
            return super.watch(resource, () -> {
                notifications.incrementAndGet();
                changed.run();
            });
        }

        @Override
        public Subscription subscribe(String client, ClaimListener listener) {
            return super.subscribe(client, new ForwardingListener(listener) {
                @Override
                public void turnReached(String claimId) {
                    notifications.incrementAndGet();
                    super.turnReached(claimId);
                }

                @Override
                public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                    notifications.incrementAndGet();
                    tickets.remove(claimId);
                    super.granted(claimId, ticket, grant);
                }
            });
        }
    }
}
