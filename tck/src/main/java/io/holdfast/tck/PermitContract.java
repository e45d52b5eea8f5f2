package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Claims for permits, asked of the store itself. */
public abstract class PermitContract extends Contract {

    private final String name = name("semaphore");

    @SuppressWarnings("NullAway.Init")
    private LockStore store;

    @SuppressWarnings("NullAway.Init")
    private Claims alice;

    @SuppressWarnings("NullAway.Init")
    private Claims bob;

    @BeforeEach
    final void connect() {
        needs(SemaphoreStore.class);
        store = openStore();
        alice = new Claims(store);
        bob = new Claims(openStore());
    }

    private Claim permits(Claims claims, int permits) {
        return claims.permits(name, permits, 5, QueuePolicy.BARGES);
    }

    private Claim queued(Claims claims, int permits) {
        return claims.permits(name, permits, 5, QueuePolicy.QUEUES);
    }

    @Test
    @DisplayName("are given while there are enough, and never one more")
    void areGivenWhileThereAreEnough() throws Exception {
        long token = alice.granted(permits(alice, 2));
        Claim second = permits(bob, 3);
        assertThat(bob.granted(second)).isGreaterThan(token);
        assertThat(alice.refused(permits(alice, 1))).isBetween(LONG.dividedBy(2), LONG);
        bob.release(second);
        alice.refused(permits(alice, 4));
        alice.granted(permits(alice, 3));
        bob.refused(permits(bob, 1));
    }

    @Test
    @DisplayName("are counted once though every command is sent twice")
    void areCountedOnce() throws Exception {
        Claim first = permits(alice, 3);
        long token = alice.granted(first);
        assertThat(alice.granted(first)).isEqualTo(token);
        Claim second = permits(bob, 2);
        bob.granted(second);
        bob.granted(second);
        assertThat(alice.statuses(first, second)).hasSize(2);
        assertThat(alice.statuses(first.withPermits(1))).containsEntry(first.id(), ClaimStatus.HELD);
        assertThat(alice.statuses(first.withPermits(1))).containsEntry(first.id(), ClaimStatus.HELD);
        assertThat(out()).as("permits that are out").isEqualTo(3);
        alice.frees(first);
        alice.freesNothing(first);
        assertThat(out()).as("permits that are out").isEqualTo(2);
        assertThat(alice.addPermits(name, "add", 1, 5)).isEqualTo(6);
        assertThat(bob.addPermits(name, "add", 1, 5))
                .as("the same change once more")
                .isEqualTo(6);
    }

    private int out() throws Exception {
        return bob.inspectSemaphore(name).holders().stream()
                .mapToInt(Claimant::permits)
                .sum();
    }

    @Test
    @DisplayName("can be given back in part, and never come back by a late command")
    void areGivenBackInPart() throws Exception {
        Claim claim = permits(alice, 5);
        alice.granted(claim);
        assertThat(alice.statuses(claim.withPermits(2))).containsEntry(claim.id(), ClaimStatus.HELD);
        bob.granted(permits(bob, 3));
        alice.statuses(claim); // of before
        alice.granted(claim);
        assertThat(out()).as("permits that are out").isEqualTo(5);
        bob.refused(permits(bob, 1));
    }

    @Test
    @DisplayName("of those who wait are called for when some are given back, in part too")
    void areCalledFor() throws Exception {
        Claim all = permits(alice, 5);
        alice.granted(all);
        Claim two = queued(bob, 2);
        Claim one = queued(bob, 1);
        bob.refused(two);
        bob.refused(one);
        alice.statuses(all.withPermits(4));
        assertThat(bob.statuses(two, one))
                .containsEntry(two.id(), ClaimStatus.WAITING)
                .containsEntry(one.id(), ClaimStatus.WAITING);
        alice.statuses(all.withPermits(2));
        assertThat(bob.statuses(two, one))
                .containsEntry(two.id(), ClaimStatus.TURN_REACHED)
                .containsEntry(one.id(), ClaimStatus.TURN_REACHED);
        bob.refused(permits(bob, 4));
        bob.granted(two);
        bob.granted(one);
    }

    @Test
    @DisplayName("are given in order: who wants few waits behind who wants many, unless it barges")
    void areGivenInOrder() throws Exception {
        Claim held = permits(alice, 3);
        alice.granted(held);
        Claim many = queued(bob, 4);
        Claim few = queued(bob, 1);
        bob.refused(many);
        bob.refused(few);
        bob.refused(bob.permits(name, 1, 5, QueuePolicy.GIVES_WAY));
        Claim barging = permits(bob, 1);
        bob.granted(barging);
        bob.release(barging);
        assertThat(alice.queue(ResourceType.SEMAPHORE, name)).containsExactly(many.id(), few.id());
        alice.release(held);
        bob.granted(many);
        bob.granted(few);
    }

    @Test
    @DisplayName("end each with its own lease")
    void end() throws Exception {
        long start = System.nanoTime();
        alice.granted(permits(alice, 3).withLease(SHORT));
        Claim kept = permits(bob, 2);
        bob.granted(kept);
        Claim wanted = permits(bob, 3);
        until("the permits are back whose lease is over, though another claim is renewed", SOON, () -> {
            bob.renew(kept);
            return bob.isGranted(wanted);
        });
        assertThat(since(start)).isBetween(SHORT.minusMillis(2), SHORT.plus(SLACK));
        assertThat(out()).as("permits that are out").isEqualTo(5);
    }

    @Test
    @DisplayName("that there are not are refused at once, and leave no place")
    void areRefused() throws Exception {
        for (QueuePolicy policy : QueuePolicy.values()) {
            refuses(alice, alice.permits(name, 6, 5, policy));
        }
        assertThat(alice.queue(ResourceType.SEMAPHORE, name)).isEmpty();
        alice.granted(permits(alice, 5));
    }

    @Test
    @DisplayName("that there are no more are refused to those who wait, and leave no place")
    void areRefusedToThoseWhoWait() throws Exception {
        Claim held = permits(alice, 2);
        alice.granted(held);
        Claim many = queued(bob, 5);
        Claim few = queued(bob, 3);
        bob.refused(many);
        bob.refused(few);
        assertThat(alice.addPermits(name, "fewer", -1, 5)).isEqualTo(4);
        refuses(bob, many);
        assertThat(alice.queue(ResourceType.SEMAPHORE, name)).containsExactly(few.id());
        alice.release(held);
        bob.granted(few);
    }

    @Test
    @DisplayName("go to those who can have them, though one before them asks for more than there are and has not left")
    void passWhoCantHaveThem() throws Exception {
        Claim held = permits(alice, 2);
        alice.granted(held);
        Claim many = queued(alice, 5);
        Claim few = queued(bob, 3);
        alice.refused(many);
        bob.refused(few);
        assertThat(alice.addPermits(name, "fewer", -1, 5)).isEqualTo(4);
        alice.release(held);
        assertThat(bob.statuses(few)).containsEntry(few.id(), ClaimStatus.TURN_REACHED);
        bob.granted(few);
    }

    private static void refuses(Claims claims, Claim claim) {
        assertThatThrownBy(() -> claims.claim(claim))
                .as("the answer to a claim for %d permits, which are more than there are", claim.permits())
                .isInstanceOfSatisfying(
                        StoreRefusedException.class,
                        e -> assertThat(e.retryable()).isFalse());
    }

    @Test
    @DisplayName("are as many as the first one says, and as are added or taken away since")
    void areAdded() throws Exception {
        assertThat(alice.addPermits(name, "first", 2, 3)).isEqualTo(5);
        assertThat(bob.addPermits(name, "second", -4, 100)).isEqualTo(1);
        assertThat(bob.addPermits(name, "third", -4, 100)).as("not below zero").isZero();
        refuses(bob, permits(bob, 1));
        assertThat(alice.addPermits(name, "fourth", 2, 100)).isEqualTo(2);
        Claim all = permits(bob, 2);
        bob.granted(all);
        assertThat(alice.addPermits(name, "fifth", -2, 100)).isZero();
        assertThat(bob.renew(all)).as("what is out stays out").containsExactly(all.id());
        LockState state = alice.inspectSemaphore(name);
        assertThat(state.permits()).isZero();
        assertThat(state.holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.permits()).isEqualTo(2));
    }

    @Test
    @DisplayName("that are added go to those who wait")
    void thatAreAddedAreCalledFor() throws Exception {
        alice.granted(permits(alice, 5));
        Claim waiting = queued(bob, 2);
        bob.refused(waiting);
        alice.addPermits(name, "one", 1, 5);
        assertThat(bob.statuses(waiting)).containsEntry(waiting.id(), ClaimStatus.WAITING);
        alice.addPermits(name, "two", 1, 5);
        assertThat(bob.statuses(waiting)).containsEntry(waiting.id(), ClaimStatus.TURN_REACHED);
        bob.granted(waiting);
    }

    @Test
    @DisplayName("are shown with who has them, who waits for them, and how many there are")
    void areShown() throws Exception {
        assertThat(bob.inspectSemaphore(name)).isEqualTo(new LockState(name, -1, List.of(), List.of()));
        Claim held = permits(alice, 4);
        long token = alice.granted(held);
        Claim waiting = queued(bob, 2);
        bob.refused(waiting);
        LockState state = bob.inspectSemaphore(name);
        assertThat(state.permits()).isEqualTo(5);
        assertThat(state.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.claimId()).isEqualTo(held.id());
            assertThat(holder.mode()).isEqualTo(Mode.PERMITS);
            assertThat(holder.permits()).isEqualTo(4);
            assertThat(holder.token()).isEqualTo(token);
            assertThat(holder.timeLeft()).isBetween(LONG.dividedBy(2), LONG);
        });
        assertThat(state.waiters()).singleElement().satisfies(waiter -> {
            assertThat(waiter.claimId()).isEqualTo(waiting.id());
            assertThat(waiter.permits()).isEqualTo(2);
            assertThat(waiter.timeLeft()).isBetween(Duration.ZERO, Claim.TICKET);
        });
        assertThat(await(store.list(ResourceType.SEMAPHORE, name, 10).toCompletableFuture()))
                .extracting(LockState::name)
                .containsExactly(name);
    }

    @Test
    @DisplayName("have nothing to do with a lock of the same name")
    void areNotALock() throws Exception {
        alice.granted(permits(alice, 5));
        Claim lock = bob.exclusive(name, QueuePolicy.BARGES);
        bob.granted(lock);
        assertThat(bob.inspect(name).holders()).hasSize(1);
        assertThat(bob.forceRelease(name)).isTrue();
        assertThat(out()).as("permits that are out").isEqualTo(5);
        assertThat(await(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())
                        .toCompletableFuture()))
                .isTrue();
        assertThat(out()).as("permits that are out").isZero();
        assertThat(alice.inspectSemaphore(name).permits())
                .as("how many there are is kept")
                .isEqualTo(5);
        assertThat(await(store.list(ResourceType.LOCK, name, 10).toCompletableFuture()))
                .isEmpty();
    }
}
