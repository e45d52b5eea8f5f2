package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Claimant;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The queue of a name, asked of the store itself. */
public abstract class TicketContract extends Contract {

    private final String name = name();

    @SuppressWarnings("NullAway.Init")
    private LockStore store;

    @SuppressWarnings("NullAway.Init")
    private Claims alice;

    @SuppressWarnings("NullAway.Init")
    private Claims bob;

    @BeforeEach
    final void connect() {
        needs(QueueingStore.class);
        store = openStore();
        alice = new Claims(store);
        bob = new Claims(openStore());
    }

    @Test
    @DisplayName("are in the order in which they were first asked for, however often they ask again")
    void areInOrder() throws Exception {
        Claim held = alice.exclusive(name, QueuePolicy.BARGES);
        alice.granted(held);
        List<Claim> queue = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            queue.add(alice.exclusive(name, QueuePolicy.QUEUES));
            queue.add(bob.exclusive(name, QueuePolicy.BARGES_OR_QUEUES));
        }
        for (Claim claim : queue) {
            alice.refused(claim);
        }
        for (int i = queue.size() - 1; i >= 0; i--) {
            bob.refused(queue.get(i));
            alice.renew(queue.get(i));
        }
        List<String> ids = queue.stream().map(Claim::id).toList();
        assertThat(bob.queue(ResourceType.LOCK, name)).isEqualTo(ids);
        alice.release(held);
        for (int i = 0; i < queue.size(); i++) {
            for (Claim behind : queue.subList(i + 1, queue.size())) {
                bob.refused(behind);
            }
            Claim next = queue.get(i);
            alice.granted(next);
            alice.granted(next);
            assertThat(bob.queue(ResourceType.LOCK, name)).isEqualTo(ids.subList(i + 1, ids.size()));
            alice.release(next);
        }
        assertThat(bob.inspect(name).holders()).isEmpty();
    }

    @Test
    @DisplayName(
            "may be said with a grant to come next, if they are the same client's, in order, and nobody is between them")
    void areInARow() throws Exception {
        Claim held = bob.exclusive(name, QueuePolicy.BARGES);
        bob.granted(held);
        List<Claim> row = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            row.add(alice.exclusive(name, QueuePolicy.QUEUES, 3));
            alice.refused(row.get(i));
        }
        Claim others = bob.exclusive(name, QueuePolicy.QUEUES, 3);
        bob.refused(others);
        alice.refused(alice.exclusive(name, QueuePolicy.QUEUES, 3));
        bob.release(held);

        Claim first = row.get(0);
        assertThat(alice.next(first)).as("no more than it has tokens for").isIn(List.of(), ids(row.subList(1, 3)));
        alice.release(first);
        alice.granted(row.get(1));
        alice.release(row.get(1));
        assertThat(alice.next(row.get(2))).as("up to somebody else's").isIn(List.of(), ids(row.subList(3, 4)));
        alice.release(row.get(3));
        alice.release(row.get(2));
        assertThat(bob.next(others)).as("nobody of the same client").isEmpty();
        bob.release(others);
    }

    private static List<String> ids(List<Claim> claims) {
        return claims.stream().map(Claim::id).toList();
    }

    @Test
    @DisplayName("are taken only by those who want one")
    void areTakenByThoseWhoWantOne() throws Exception {
        alice.granted(alice.exclusive(name, QueuePolicy.BARGES));
        bob.refused(bob.exclusive(name, QueuePolicy.BARGES));
        bob.refused(bob.exclusive(name, QueuePolicy.GIVES_WAY));
        assertThat(alice.queue(ResourceType.LOCK, name)).isEmpty();
    }

    @Test
    @DisplayName("keep out those who give way, and not those who barge")
    void keepOut() throws Exception {
        Claim waiting = waitsForAFreeLock(alice);
        bob.refused(bob.exclusive(name, QueuePolicy.GIVES_WAY));
        Claim behind = bob.exclusive(name, QueuePolicy.QUEUES);
        bob.refused(behind);
        Claim barging = bob.exclusive(name, QueuePolicy.BARGES);
        bob.granted(barging);
        bob.release(barging); // before the one that waits asks again: of several nodes one might not know of it yet
        Claim second = bob.exclusive(name, QueuePolicy.BARGES_OR_QUEUES);
        bob.granted(second);
        bob.release(second);
        bob.refused(behind);
        alice.granted(waiting);
    }

    /** A claim that is first in the queue of a lock without a holder. */
    private Claim waitsForAFreeLock(Claims claims) throws Exception {
        Claim held = claims.exclusive(name, QueuePolicy.BARGES);
        claims.granted(held);
        Claim waiting = claims.exclusive(name, QueuePolicy.QUEUES);
        claims.refused(waiting);
        claims.release(held);
        return waiting;
    }

    @Test
    @DisplayName("say how those stand who have one")
    void sayHowTheyStand() throws Exception {
        Claim held = alice.exclusive(name, QueuePolicy.BARGES);
        Claim first = alice.exclusive(name, QueuePolicy.QUEUES);
        Claim second = bob.exclusive(name, QueuePolicy.QUEUES);
        Claim never = bob.exclusive(name, QueuePolicy.QUEUES);
        alice.granted(held);
        alice.refused(first);
        bob.refused(second);
        assertThat(alice.statuses(held, first, second, never))
                .hasSize(3)
                .containsEntry(held.id(), ClaimStatus.HELD)
                .containsEntry(first.id(), ClaimStatus.WAITING)
                .containsEntry(second.id(), ClaimStatus.WAITING);
        alice.release(held);
        assertThat(alice.statuses(held, first, second))
                .hasSize(2)
                .containsEntry(first.id(), ClaimStatus.TURN_REACHED)
                .containsEntry(second.id(), ClaimStatus.WAITING);
        alice.granted(first);
        assertThat(alice.statuses(first, second))
                .containsEntry(first.id(), ClaimStatus.HELD)
                .containsEntry(second.id(), ClaimStatus.WAITING);
        assertThat(bob.queue(ResourceType.LOCK, name)).containsExactly(second.id());
    }

    @Test
    @DisplayName("are given up at once when they are released, and the next one is called")
    void areGivenUp() throws Exception {
        List<String> called = new CopyOnWriteArrayList<>();
        try (Subscription listening = listen(alice, called)) {
            Claim first = waitsForAFreeLock(bob);
            Claim second = alice.exclusive(name, QueuePolicy.QUEUES);
            alice.refused(second);
            assertThat(called).isEmpty();
            bob.freesNothing(first);
            until("the next one is called", SOON, () -> called.contains(second.id()));
            bob.freesNothing(first);
            assertThat(alice.queue(ResourceType.LOCK, name)).containsExactly(second.id());
            alice.granted(second);
            alice.release(second);
            assertThat(alice.inspect(name).waiters()).isEmpty();
        }
    }

    @Test
    @DisplayName("end 3 s after they were last renewed, and no sooner, and no later because others are renewed")
    void end() throws Exception {
        Claim held = alice.exclusive(name, QueuePolicy.BARGES);
        alice.granted(held);
        Claim dead = bob.exclusive(name, QueuePolicy.QUEUES);
        Claim kept = alice.exclusive(name, QueuePolicy.QUEUES);
        long start = System.nanoTime();
        bob.refused(dead);
        alice.refused(kept);
        alice.release(held);
        eventually(
                SOON,
                () -> assertThat(alice.statuses(kept))
                        .as("the one behind, which asks how it stands again and again")
                        .containsEntry(kept.id(), ClaimStatus.TURN_REACHED));
        assertThat(since(start)).isBetween(Claim.TICKET.minusMillis(100), Claim.TICKET.plusMillis(1_500));
        assertThat(alice.queue(ResourceType.LOCK, name)).containsExactly(kept.id());
        assertThat(bob.statuses(dead)).isEmpty();
        bob.refused(dead); // it is the last now
        assertThat(alice.queue(ResourceType.LOCK, name)).containsExactly(kept.id(), dead.id());
        alice.granted(kept);
    }

    @Test
    @DisplayName("are called one at a time for a lock, by its release, its forced release, and nobody else's")
    void areCalled() throws Exception {
        List<String> mine = new CopyOnWriteArrayList<>();
        List<String> theirs = new CopyOnWriteArrayList<>();
        try (Subscription listening = listen(alice, mine);
                Subscription also = listen(openStore(), bob, theirs)) {
            Claim held = bob.exclusive(name, QueuePolicy.BARGES);
            bob.granted(held);
            Claim first = alice.exclusive(name, QueuePolicy.QUEUES);
            Claim second = alice.exclusive(name, QueuePolicy.QUEUES);
            Claim third = bob.exclusive(name, QueuePolicy.QUEUES);
            for (Claim claim : List.of(first, second, third)) {
                alice.refused(claim);
            }
            bob.release(held);
            until("the first is called", SOON, () -> mine.contains(first.id()));
            alice.granted(first);
            throughout("nobody else is", Duration.ofMillis(100), () -> !mine.contains(second.id()) && theirs.isEmpty());
            alice.renew(second, third); // a slow machine may have taken most of their three seconds
            alice.forceRelease(name);
            until("the second is called", SOON, () -> mine.contains(second.id()));
            alice.granted(second);
            alice.renew(third);
            alice.release(second);
            until("the third is called", SOON, () -> theirs.contains(third.id()));
            assertThat(mine).doesNotContain(third.id());
        }
    }

    @Test
    @DisplayName("of shared claims that follow each other are called together")
    void areCalledTogether() throws Exception {
        List<String> called = new CopyOnWriteArrayList<>();
        try (Subscription listening = listen(alice, called)) {
            Claim held = bob.exclusive(name, QueuePolicy.BARGES);
            bob.granted(held);
            Claim first = alice.shared(name, QueuePolicy.QUEUES);
            Claim second = alice.shared(name, QueuePolicy.QUEUES);
            Claim writer = alice.exclusive(name, QueuePolicy.QUEUES);
            Claim behind = alice.shared(name, QueuePolicy.QUEUES);
            for (Claim claim : List.of(first, second, writer, behind)) {
                alice.refused(claim);
            }
            bob.release(held);
            until("both are called", SOON, () -> called.containsAll(List.of(first.id(), second.id())));
            alice.granted(second);
            alice.granted(first);
            alice.refused(behind);
            alice.release(first);
            assertThat(called).doesNotContain(writer.id(), behind.id());
            alice.renew(writer, behind);
            alice.release(second);
            until("the writer is called", SOON, () -> called.contains(writer.id()));
            assertThat(called).doesNotContain(behind.id());
            alice.renew(behind);
            alice.release(writer);
            until("the last is called", SOON, () -> called.contains(behind.id()));
        }
    }

    @Test
    @DisplayName("are not called when nobody listens any more")
    void areNotCalledAfterClose() throws Exception {
        List<String> called = new CopyOnWriteArrayList<>();
        Subscription listening = listen(alice, called);
        Claim held = alice.exclusive(name, QueuePolicy.BARGES);
        alice.granted(held);
        alice.refused(alice.exclusive(name, QueuePolicy.QUEUES));
        listening.close();
        listening.close();
        alice.release(held);
        throughout("nobody is called", Duration.ofMillis(100), called::isEmpty);
    }

    /** A grant by a call, of the place of that number. */
    private record Given(String claimId, long ticket, ClaimResult.Granted grant) {}

    @Test
    @DisplayName("are granted with the release of another, by a call that names the place, where the store does that")
    void areGrantedOnRelease() throws Exception {
        assumeTrue(openStore().traits().grantsOnRelease(), "this store grants nothing by a call");
        List<Given> given = new CopyOnWriteArrayList<>();
        Subscription listening = with(store, QueueingStore.class).subscribe(alice.client(), new ClaimListener() {
            @Override
            public void turnReached(String claimId) {}

            @Override
            public void revocationRequested(String claimId) {}

            @Override
            public void resync() {}

            @Override
            public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                given.add(new Given(claimId, ticket, grant));
            }
        });
        try (listening) {
            // A store may leave it at a call now and then, and calls may not be heard yet.
            until("one is granted by a call", SOON, () -> {
                Claim held = bob.exclusive(name, QueuePolicy.BARGES);
                long token = bob.granted(held);
                Claim waiting = alice.exclusive(name, QueuePolicy.QUEUES).grantedOnRelease();
                long ticket = ((ClaimResult.Busy) alice.claim(waiting)).ticket();
                assertThat(((ClaimResult.Busy) alice.claim(waiting)).ticket())
                        .as("the number of a place that is kept")
                        .isEqualTo(ticket)
                        .isNotZero();
                bob.release(held);
                for (int i = 0; i < 100 && given.isEmpty(); i++) {
                    Thread.sleep(1);
                }
                for (Given one : given) {
                    assertThat(one.claimId).isEqualTo(waiting.id());
                    assertThat(one.ticket).as("the place that it names").isEqualTo(ticket);
                    assertThat(one.grant.token()).isGreaterThan(token);
                    assertThat(bob.inspect(name).holders())
                            .singleElement()
                            .satisfies(holder -> assertThat(holder.timeLeft()).isLessThanOrEqualTo(Claim.TICKET));
                    bob.refused(bob.exclusive(name, QueuePolicy.BARGES));
                    assertThat(alice.granted(waiting)).as("asked again").isEqualTo(one.grant.token());
                }
                alice.release(waiting);
                return !given.isEmpty();
            });
        }
        bob.granted(bob.exclusive(name, QueuePolicy.BARGES));
    }

    private Subscription listen(Claims claims, List<String> called) throws Exception {
        return listen(store, claims, called);
    }

    private Subscription listen(LockStore at, Claims claims, List<String> called) throws Exception {
        Subscription listening =
                with(at, QueueingStore.class).subscribe(claims.client(), new HintListener(called::add));
        // There is no sign that it is in place, so a claim is notified until it is heard.
        String probe = name("probe");
        until("a claim that waits is called when the one before it is released", SOON, () -> {
            Claim held = claims.exclusive(probe, QueuePolicy.BARGES);
            claims.granted(held);
            Claim waiting = claims.exclusive(probe, QueuePolicy.QUEUES);
            claims.refused(waiting);
            claims.release(held);
            // A store that looks for calls needs a moment for it, while the claim still waits.
            for (int i = 0; i < 100 && called.isEmpty(); i++) {
                Thread.sleep(1);
            }
            claims.granted(waiting);
            claims.release(waiting);
            return !called.isEmpty();
        });
        until("the last probe was heard", SOON, () -> {
            int heard = called.size();
            Thread.sleep(30);
            return called.size() == heard;
        });
        called.clear();
        return listening;
    }

    @Test
    @DisplayName("are shown in order, with who has them and what for")
    void areShown() throws Exception {
        alice.granted(alice.exclusive(name, QueuePolicy.BARGES));
        Claim writer = bob.exclusive(name, QueuePolicy.QUEUES);
        Claim reader = bob.shared(name, QueuePolicy.QUEUES);
        bob.refused(writer);
        bob.refused(reader);
        List<Claimant> waiters = alice.inspect(name).waiters();
        assertThat(waiters).extracting(Claimant::claimId).containsExactly(writer.id(), reader.id());
        assertThat(waiters).extracting(Claimant::mode).containsExactly(writer.mode(), reader.mode());
        assertThat(waiters).allSatisfy(waiter -> {
            assertThat(waiter.client()).isEqualTo("tck");
            assertThat(waiter.host()).isEqualTo("a-host");
            assertThat(waiter.process()).isEqualTo(42);
            assertThat(waiter.thread()).isEqualTo("a-thread");
            assertThat(waiter.token()).isNull();
            assertThat(waiter.permits()).isEqualTo(1);
            assertThat(waiter.timeLeft()).isBetween(Duration.ZERO, Claim.TICKET);
        });
        assertThat(alice.list(name, 10))
                .singleElement()
                .satisfies(state -> assertThat(state.waiters()).hasSize(2));
    }
}
