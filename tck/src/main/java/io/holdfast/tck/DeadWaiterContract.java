package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.spi.Claim;
import io.holdfast.spi.QueueingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiters for a plain lock whose clients die or stand still, and leave their tickets in the store's queue. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class DeadWaiterContract extends Contract {

    private static final int DEAD = 4;

    /** The life of a ticket, and a look each second. */
    private static final Duration PASSED_OVER = Claim.TICKET.plusSeconds(1);

    private final String name = name();

    @BeforeEach
    final void onlyWithAQueue() {
        needs(QueueingStore.class);
    }

    @Essential
    @Test
    @DisplayName(
            "hold up a live one for the life of a ticket at most, however many they are, and the last holder as well")
    void arePassedOver() throws Exception {
        Onlooker onlooker = Onlooker.of(client(), name);
        DistributedLock held = client().lock(name);
        held.lock();
        List<CutStore> dead = new ArrayList<>();
        for (int i = 0; i < DEAD; i++) {
            CutStore store = new CutStore(store().newStore());
            client(store, LONG).lock(name).lockAsync(i);
            onlooker.seesWaiting(i + 1);
            dead.add(store);
        }
        Future<?> live = takesIt("live", client().lock(name));
        onlooker.seesWaiting(DEAD + 1);
        dead.forEach(CutStore::cut);
        long start = System.nanoTime();
        held.unlock();
        Future<?> again = takesIt("again", held);
        await(live);
        assertThat(since(start)).as("until the live one had it").isLessThan(PASSED_OVER.plus(SLACK));
        await(again);
        assertThat(since(start)).as("until the last holder had it again").isLessThan(PASSED_OVER.plus(SLACK));
        dead.forEach(CutStore::mend);
    }

    private Future<?> takesIt(String who, DistributedLock lock) throws Exception {
        return actor(who).starts(() -> {
            lock.lock();
            lock.unlock();
        });
    }
}
