package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.spi.QueueingStore;
import io.holdfast.tck.HandOverCounter.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What it costs to pass a plain lock from one client to another, with few and with many clients that want it all the time.
 * Each holder keeps the lock until all other clients wait, so every hold is contended, on a busy machine as well; it is
 * counted and not timed.
 */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class HandOverCostContract extends Contract {

    private static final int FEW = 2;
    private static final int MANY = 20;

    /** How many turns are counted, for each client. */
    private static final int FEW_TURNS = 20;

    private static final int MANY_TURNS = 8;

    /** A holder waits no longer than this for the others: a notification may be lost, and a wait may need a second look. */
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(2);

    @BeforeEach
    final void onlyWithAQueue() {
        needs(QueueingStore.class);
    }

    @Essential
    @Test
    @DisplayName(
            "costs the store the same few commands and notifications however many clients wait, each of which gets its turn")
    void costsTheSameForMany() throws Exception {
        Fleet few = new Fleet(FEW, FEW_TURNS).run();
        Fleet many = new Fleet(MANY, MANY_TURNS).run();
        for (Fleet fleet : List.of(few, many)) {
            Count cost = fleet.cost();
            assertThat(cost.commands() + cost.renewals())
                    .as("commands of %s", fleet)
                    .isLessThanOrEqualTo(4L * fleet.holds());
            assertThat(cost.notifications()).as("notifications of %s", fleet).isLessThanOrEqualTo(2L * fleet.holds());
            LongSummaryStatistics turns = fleet.turns();
            assertThat(turns.getMin()).as("fewest turns of %s", fleet).isGreaterThanOrEqualTo(turns.getMax() / 3);
        }
        assertThat(many.commandsPerHold())
                .as("commands of %s, beside those of %s", many, few)
                .isLessThanOrEqualTo(1.25 * few.commandsPerHold());
    }

    /** Clients that want one lock all the time, each with a store and a thread of its own. */
    private final class Fleet {

        private final HandOverCounter counter = new HandOverCounter();
        private final List<DistributedLock> locks = new ArrayList<>();
        private final AtomicLongArray holds;
        private final long turns;
        private final CompletableFuture<Count> begin = new CompletableFuture<>();
        private final CompletableFuture<Count> end = new CompletableFuture<>();

        Fleet(int clients, int turnsEach) {
            String name = name(clients + "-clients");
            for (int i = 0; i < clients; i++) {
                locks.add(client(counter.counted(store().newStore()), LONG).lock(name));
            }
            holds = new AtomicLongArray(clients);
            turns = (long) clients * turnsEach;
        }

        Fleet run() throws Exception {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < locks.size(); i++) {
                int client = i;
                all.add(actor("client-" + i).starts(() -> takeTurns(client)));
            }
            awaitAll(all);
            return this;
        }

        private void takeTurns(int client) throws InterruptedException {
            while (!end.isDone()) {
                locks.get(client).lock();
                if (!end.isDone()) {
                    holds.incrementAndGet(client);
                    untilAllOthersWait();
                    count();
                }
                locks.get(client).unlock();
            }
        }

        private void untilAllOthersWait() throws InterruptedException {
            long start = System.nanoTime();
            while (counter.waiting() < locks.size() - 1 && since(start).compareTo(LONGEST_HOLD) < 0) {
                Thread.sleep(1);
            }
        }

        /** While a client holds the lock: from the moment at which all others wait, to one that is like it. */
        private void count() {
            if (begin.isDone()) {
                if (holds() >= turns) {
                    end.complete(counter.count());
                }
            } else if (turns().getMin() > 0) {
                for (int i = 0; i < holds.length(); i++) {
                    holds.set(i, 0);
                }
                begin.complete(counter.count());
            }
        }

        long holds() {
            return turns().getSum();
        }

        LongSummaryStatistics turns() {
            LongSummaryStatistics statistics = new LongSummaryStatistics();
            for (int i = 0; i < holds.length(); i++) {
                statistics.accept(holds.get(i));
            }
            return statistics;
        }

        Count cost() {
            return end.join().since(begin.join());
        }

        double commandsPerHold() {
            return cost().commands() / (double) holds();
        }

        @Override
        public String toString() {
            return locks.size() + " clients, " + turns() + ", " + cost();
        }
    }
}
