package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the engine relies on, asked of the store itself. */
public abstract class StoreContract extends Contract {

    private static final Duration BRIEF = Duration.ofMillis(150);

    private final String name = name();

    /** Two processes, each with a connection of its own. */
    @SuppressWarnings("NullAway.Init")
    private Claims alice;

    @SuppressWarnings("NullAway.Init")
    private Claims bob;

    @BeforeEach
    final void connect() {
        alice = new Claims(openStore());
        bob = new Claims(openStore());
    }

    @Test
    @DisplayName("grants a free lock, and tells others to wait and for how long")
    void grantsOnce() throws Exception {
        Claim claim = alice.make(name, LONG);
        assertThat(alice.granted(claim)).isPositive();
        assertThat(bob.refused(bob.make(name, LONG))).isBetween(LONG.dividedBy(2), LONG);
        assertThat(alice.refused(alice.make(name, LONG))).isBetween(LONG.dividedBy(2), LONG);
        assertThat(bob.holder(name)).isEqualTo(claim.id());
    }

    @Test
    @DisplayName("grants a lock to one of many that ask at once")
    void grantsToOneOfMany() throws Exception {
        LockStore one = openStore();
        LockStore two = openStore();
        for (int round = 0; round < 10; round++) {
            String contended = name("round-" + round);
            List<CompletableFuture<ClaimResult>> answers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                answers.add(one.claim(alice.make(contended, LONG)).toCompletableFuture());
                answers.add(two.claim(bob.make(contended, LONG)).toCompletableFuture());
            }
            int granted = 0;
            for (CompletableFuture<ClaimResult> answer : answers) {
                granted += await(answer) instanceof ClaimResult.Granted ? 1 : 0;
            }
            assertThat(granted).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("answers a claim that is held already with the token that it has, and sets its lease anew")
    void claimsAgain() throws Exception {
        Claim claim = alice.make(name, LONG.dividedBy(2), 5);
        long token = alice.granted(claim);
        assertThat(alice.granted(claim)).as("the token of the same claim").isEqualTo(token);
        long asBobSees = bob.granted(claim.withLease(LONG));
        assertThat(asBobSees).isGreaterThanOrEqualTo(token);
        if (store().tellsAllTheSameToken()) {
            assertThat(asBobSees).isEqualTo(token);
        }
        assertThat(bob.timeLeft(name)).isGreaterThan(LONG.dividedBy(2));
        alice.release(claim);
        assertThat(bob.granted(bob.make(name, LONG))).isGreaterThanOrEqualTo(token + 5);
    }

    @Test
    @DisplayName("never makes a claim end sooner than it promised, but by a release")
    void neverShortens() throws Exception {
        Claim claim = alice.make(name, LONG);
        alice.granted(claim);
        alice.granted(claim.withLease(BRIEF));
        assertThat(bob.timeLeft(name)).as("after a late claim").isGreaterThan(LONG.dividedBy(2));
        assertThat(alice.renew(claim.withLease(BRIEF))).containsExactly(claim.id());
        assertThat(bob.timeLeft(name)).as("after a late renewal").isGreaterThan(LONG.dividedBy(2));
    }

    @Test
    @DisplayName("ends a claim with its lease, by its own clock, and not before")
    void expires() throws Exception {
        Claim claim = alice.make(name, BRIEF);
        long start = System.nanoTime();
        alice.granted(claim);
        until("another is granted when the lease is over", SOON, () -> bob.isGranted(bob.make(name, LONG)));
        assertThat(since(start)).isBetween(BRIEF.minusMillis(2), BRIEF.plusSeconds(2));
        assertThat(alice.renew(claim)).as("renewed too late").isEmpty();
        alice.freesNothing(claim);
        assertThat(bob.inspect(name).isLocked()).isTrue();
    }

    @Test
    @DisplayName("renews a claim that is held")
    void renews() throws Exception {
        Claim claim = alice.make(name, KEPT);
        alice.granted(claim);
        assertThat(alice.renew(claim.withLease(LONG))).containsExactly(claim.id());
        assertThat(alice.renew(claim.withLease(LONG))).containsExactly(claim.id());
        assertThat(bob.timeLeft(name)).isBetween(LONG.dividedBy(2), LONG);
        assertThat(bob.isGranted(bob.make(name, LONG))).isFalse();
    }

    @Test
    @DisplayName("renews those of a batch that are held, and leaves the rest alone")
    void renewsABatch() throws Exception {
        Duration lease = LONG.dividedBy(4);
        Claim held = alice.make(name("held"), lease);
        Claim released = alice.make(name("released"), lease);
        Claim forced = alice.make(name("forced"), lease);
        Claim taken = alice.make(name("taken"), lease);
        Claim never = alice.make(name("never"), lease);
        for (Claim claim : List.of(held, released, forced, taken)) {
            alice.granted(claim);
        }
        alice.release(released);
        bob.forceRelease(forced.name());
        bob.forceRelease(taken.name());
        Claim taker = bob.make(taken.name(), LONG);
        bob.granted(taker);
        Claim also = alice.make(name("also"), lease);
        alice.granted(also);
        Claim[] all = Stream.of(released, held, forced, taken, never, also)
                .map(claim -> claim.withLease(LONG))
                .toArray(Claim[]::new);
        assertThat(alice.renew(all)).containsExactlyInAnyOrder(held.id(), also.id());
        assertThat(bob.timeLeft(held.name())).isGreaterThan(LONG.dividedBy(2));
        assertThat(bob.timeLeft(also.name())).isGreaterThan(LONG.dividedBy(2));
        assertThat(bob.holder(taken.name())).isEqualTo(taker.id());
        for (Claim gone : List.of(released, forced, never)) {
            assertThat(bob.inspect(gone.name()).isLocked()).as(gone.name()).isFalse();
        }
        assertThat(alice.renew()).isEmpty();
    }

    @Test
    @DisplayName("renews a batch of many hundreds")
    void renewsALargeBatch() throws Exception {
        List<Claim> all = new ArrayList<>();
        LockStore store = openStore();
        List<CompletableFuture<ClaimResult>> answers = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            Claim claim = alice.make(name("batch-" + i), LONG);
            all.add(claim);
            answers.add(store.claim(claim).toCompletableFuture());
        }
        for (CompletableFuture<ClaimResult> answer : answers) {
            assertThat(await(answer)).isInstanceOf(ClaimResult.Granted.class);
        }
        assertThat(alice.renew(all.toArray(Claim[]::new))).hasSameSizeAs(all);
        List<CompletableFuture<ReleaseResult>> releases = new ArrayList<>();
        for (Claim claim : all) {
            releases.add(store.release(claim).toCompletableFuture());
        }
        for (CompletableFuture<ReleaseResult> release : releases) {
            assertThat(await(release).held()).isTrue();
        }
        assertThat(await(store.list(ResourceType.LOCK, name("batch-"), 1_000).toCompletableFuture()))
                .isEmpty();
    }

    @Test
    @DisplayName("releases a claim once")
    void releases() throws Exception {
        Claim claim = alice.make(name, LONG);
        alice.granted(claim);
        alice.frees(claim);
        assertThat(bob.inspect(name).isLocked()).isFalse();
        alice.freesNothing(claim);
        alice.freesNothing(alice.make(name, LONG));
    }

    @Test
    @DisplayName("leaves a later claim alone when an old one is released or renewed once more")
    void ignoresLateCommands() throws Exception {
        Claim old = alice.make(name, LONG);
        alice.granted(old);
        alice.release(old);
        Claim later = bob.make(name, SHORT.multipliedBy(10));
        bob.granted(later);
        alice.freesNothing(old);
        assertThat(alice.renew(old)).as("renewed, though it is over").isEmpty();
        assertThat(alice.refused(old)).isPositive();
        assertThat(bob.holder(name)).isEqualTo(later.id());
        assertThat(bob.timeLeft(name)).isLessThanOrEqualTo(later.lease());
        bob.frees(later);
    }

    @Test
    @DisplayName("leaves the holder alone when one that waits is released")
    void releasesAWaitingClaim() throws Exception {
        Claim held = alice.make(name, LONG);
        Claim waiting = bob.make(name, LONG);
        alice.granted(held);
        bob.refused(waiting);
        bob.freesNothing(waiting);
        assertThat(alice.holder(name)).isEqualTo(held.id());
        alice.release(held);
        assertThat(alice.inspect(name).isLocked()).isFalse();
    }

    @Test
    @DisplayName("gives every grant tokens that are greater than all before, as many as it asks for")
    void reservesTokens() throws Exception {
        long next = 1;
        for (int tokens : new int[] {1, 10, 1, 1_000, 1, 2, 1_000_000, 1}) {
            Claim claim = alice.make(name, LONG, tokens);
            long token = alice.granted(claim);
            assertThat(token).as("before a range of %d", tokens).isGreaterThanOrEqualTo(next);
            next = token + tokens;
            alice.release(claim);
        }
        Claim forced = alice.make(name, LONG, 1_000_000);
        long token = alice.granted(forced);
        assertThat(token).isGreaterThanOrEqualTo(next);
        bob.forceRelease(name);
        Claim brief = bob.make(name, Duration.ofMillis(20), 1_000_000);
        long after = bob.granted(brief);
        assertThat(after).as("after force").isGreaterThanOrEqualTo(token + 1_000_000);
        until("the lease of 20 ms is over", SOON, () -> !bob.inspect(name).isLocked());
        Claim last = alice.make(name, LONG);
        until("it is granted anew", SOON, () -> alice.isGranted(last)); // its last millisecond may have no holder
        assertThat(alice.granted(last)).as("after expiry").isGreaterThanOrEqualTo(after + 1_000_000);
    }

    @Test
    @DisplayName("gives no token below the floor that it is told, also to a claim that is held already")
    void heedsTheFloor() throws Exception {
        assumeTrue(openStore().traits().minTokens(), "this store knows nothing of floors");
        Claim first = alice.make(name, LONG, 10);
        long token = alice.granted(first);
        long minToken = token + 1_000_000_000L;
        assertThat(alice.granted(first.withMinToken(minToken))).as("raised").isEqualTo(minToken);
        assertThat(alice.granted(first.withMinToken(minToken))).as("once more").isEqualTo(minToken);
        assertThat(alice.granted(first.withMinToken(token))).as("a late one").isEqualTo(minToken);
        assertThat(bob.granted(first)).as("without a floor").isEqualTo(minToken);
        assertThat(alice.granted(first.withMinToken(minToken + 5)))
                .as("within its own")
                .isGreaterThanOrEqualTo(minToken + 5);
        alice.release(first);
        Claim second = bob.make(name, LONG, 10);
        long next = bob.granted(second);
        assertThat(next).as("after the floor").isGreaterThanOrEqualTo(minToken + 15);
        bob.release(second);
        long far = next + 1_000_000_000L;
        Claim reader = alice.shared(name, QueuePolicy.BARGES);
        assertThat(alice.granted(reader.withMinToken(far))).as("from the start").isEqualTo(far);
        Claim other = bob.shared(name, QueuePolicy.QUEUES);
        long others = bob.granted(other);
        assertThat(others).isGreaterThan(far);
        assertThat(alice.granted(reader.withMinToken(others)))
                .as("what is another's already")
                .isGreaterThan(others);
        assertThat(alice.release(reader).held()).isTrue();
    }

    @Test
    @DisplayName("begins every grant above a token that all were raised above, whatever the name and the client")
    void raisesTokens() throws Exception {
        Claim held = alice.shared(name, QueuePolicy.BARGES);
        long token = alice.granted(held);
        Claim brief = bob.make(name("known"), LONG);
        bob.granted(brief);
        bob.release(brief);
        long above = token + 1_000_000; // about a second, where tokens follow a clock
        raise(alice, above);
        assertThat(alice.granted(held)).as("of one that holds").isEqualTo(token);
        assertThat(bob.granted(bob.shared(name, QueuePolicy.BARGES)))
                .as("beside one that holds")
                .isGreaterThan(above);
        long known = bob.granted(bob.make(name("known"), LONG, 3));
        assertThat(known).as("of a name that was used before").isGreaterThan(above);
        assertThat(alice.granted(alice.make(name("new"), LONG)))
                .as("of a new name")
                .isGreaterThan(above);
        raise(bob, above);
        raise(bob, 1);
        bob.forceRelease(name("known"));
        long after = new Claims(openStore()).granted(alice.make(name("known"), LONG));
        assertThat(after).as("after late and smaller raises, by a later client").isGreaterThanOrEqualTo(known + 3);
        if (openStore().capability(SemaphoreStore.class) != null) {
            assertThat(bob.granted(bob.permits(name("permits"), 1, 2, QueuePolicy.BARGES)))
                    .as("of a semaphore")
                    .isGreaterThan(above);
        }
    }

    /** A store whose tokens follow a clock refuses until that clock has passed the token. */
    private static void raise(Claims by, long above) throws Exception {
        until("the tokens can be raised", SOON, () -> {
            try {
                by.raiseTokens(above);
                return true;
            } catch (StoreRefusedException e) {
                assertThat(e.retryable()).as(e.getMessage()).isTrue();
                return false;
            }
        });
    }

    @Test
    @DisplayName("ends whatever claim holds a lock that is forced")
    void forces() throws Exception {
        assertThat(bob.forceRelease(name)).isFalse();
        Claim claim = alice.make(name, LONG);
        alice.granted(claim);
        assertThat(bob.forceRelease(name)).isTrue();
        assertThat(bob.forceRelease(name)).isFalse();
        assertThat(alice.renew(claim)).as("renewed, though it is over").isEmpty();
        alice.freesNothing(claim);
        assertThat(alice.inspect(name).isLocked()).isFalse();
    }

    @Test
    @DisplayName("ends the claim that is forced by its token, and no later one, nor one that holds beside it")
    void forcesTheOneThatWasSeen() throws Exception {
        Claim claim = alice.make(name, LONG);
        long token = alice.granted(claim);
        assertThat(bob.forceRelease(name, token - 1)).isFalse();
        assertThat(bob.forceRelease(name, token + 1)).isFalse();
        assertThat(bob.holder(name)).isEqualTo(claim.id());
        assertThat(bob.forceRelease(name, token)).isTrue();
        assertThat(bob.forceRelease(name, token)).isFalse();
        assertThat(alice.renew(claim)).as("renewed, though it is over").isEmpty();
        Claim later = bob.make(name, LONG);
        assertThat(bob.granted(later)).isGreaterThan(token);
        assertThat(alice.forceRelease(name, token)).isFalse();
        assertThat(alice.holder(name)).isEqualTo(later.id());
        bob.frees(later);

        Claim reader = alice.shared(name, QueuePolicy.BARGES);
        Claim beside = bob.shared(name, QueuePolicy.BARGES);
        long readersToken = alice.granted(reader);
        bob.granted(beside);
        assertThat(bob.forceRelease(name, readersToken)).isTrue();
        assertThat(alice.renew(reader, beside)).containsExactly(beside.id());
        assertThat(bob.holder(name)).isEqualTo(beside.id());
    }

    @Test
    @DisplayName("shows who holds a lock, and how often it was entered")
    void shows() throws Exception {
        assertThat(bob.inspect(name)).isEqualTo(new LockState(name, List.of(), List.of()));
        Claim claim = alice.make(name, LONG, 3);
        long token = alice.granted(claim);
        Claimant holder = bob.inspect(name).holders().get(0);
        assertThat(holder.claimId()).isEqualTo(claim.id());
        assertThat(holder.client()).isEqualTo("tck");
        assertThat(holder.host()).isEqualTo("a-host");
        assertThat(holder.process()).isEqualTo(42);
        assertThat(holder.thread()).isEqualTo("a-thread");
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.holds()).isEqualTo(1);
        alice.renew(claim.withHolds(3));
        assertThat(bob.inspect(name).holders().get(0).holds()).isEqualTo(3);
        alice.renew(claim.withHolds(2));
        assertThat(bob.inspect(name).holders().get(0).holds()).isEqualTo(2);
    }

    @Test
    @DisplayName("lists what is held under a prefix, as many as are asked for")
    void lists() throws Exception {
        for (int i = 0; i < 20; i++) {
            Claim claim = alice.make(name("list-" + i), LONG);
            alice.granted(claim);
            if (i % 2 == 0) {
                alice.release(claim);
            }
        }
        assertThat(bob.list(name("list-"), 100)).hasSize(10).allMatch(LockState::isLocked);
        assertThat(bob.list(name("list-"), 7)).hasSize(7);
        assertThat(bob.list(name("list-1"), 100)).hasSize(6);
        assertThat(bob.list(name("none"), 100)).isEmpty();
    }

    @Test
    @DisplayName("puts a name in the same shard every time")
    void shards() {
        LockStore store = openStore();
        assertThat(store.shard(name)).isEqualTo(openStore().shard(name));
    }
}
