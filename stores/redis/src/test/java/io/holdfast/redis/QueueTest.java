package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Those who wait in the server: their places, and who is called. */
class QueueTest extends StoreTest {

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void nothingStays() {
        assertKeysExpire();
    }

    @Test
    @DisplayName("a grant says which of the same client's come next, up to another's")
    void inARow() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        List<Claim> row = List.of(queued(name, "a:1"), queued(name, "a:2"), queued(name, "a:3"), queued(name, "b:a:4"));
        row.forEach(claim -> waiting(store, claim));
        waiting(store, queued(name, "a:5"));
        get(store.release(holder));
        assertThat(get(store.claim(row.get(0))))
                .isInstanceOfSatisfying(
                        ClaimResult.Granted.class,
                        granted -> assertThat(granted.next())
                                .extracting(ClaimResult.Next::claimId)
                                .containsExactly("a:2", "a:3"));
    }

    private static Claim queued(String name, String id) {
        return new Claim(name, id, Mode.EXCLUSIVE, LEASE, 1, OWNER, QueuePolicy.QUEUES, 1, ClaimOptions.tokens(16));
    }

    @Test
    @DisplayName("who waits keeps its place however often it asks, and is shown in order")
    void order() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        List<Claim> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.add(newClaim(name, Mode.EXCLUSIVE, i % 2 == 0 ? QueuePolicy.QUEUES : QueuePolicy.BARGES_OR_QUEUES));
            waiting(store, waiters.get(i));
        }
        waiters.forEach(waiter -> waiting(store, waiter));
        waiting(store, newClaim(name, Mode.EXCLUSIVE, QueuePolicy.GIVES_WAY));
        LockState state = get(store.inspect(Resource.lock(name)));
        assertThat(state.waiters())
                .extracting(Claimant::claimId)
                .isEqualTo(waiters.stream().map(Claim::id).toList());
        assertThat(state.waiters()).allSatisfy(waiter -> {
            assertThat(waiter.token()).isNull();
            assertThat(waiter.thread()).isEqualTo("worker-1");
            assertThat(waiter.since()).isNotNull();
            assertThat(waiter.timeLeft()).isBetween(Duration.ofMillis(1), Claim.TICKET);
        });
        get(store.release(holder));
        for (Claim waiter : waiters) {
            get(store.renew(waiters));
            granted(store, waiter);
            get(store.release(waiter));
        }
        assertThat(redis.keys("*{" + name + "}")).containsExactly("holdfast:lock:{" + name + "}");
    }

    @Test
    @DisplayName("on a free lock those who wait come first, but for who barges and has no place")
    void turns() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        Claim first = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        waiting(store, first);
        Claim second = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.BARGES_OR_QUEUES);
        waiting(store, second);
        get(store.release(holder));
        assertThat(waiting(store, second)).isEqualTo(Claim.TICKET);
        assertThat(waiting(store, newClaim(name, Mode.EXCLUSIVE, QueuePolicy.GIVES_WAY)))
                .isEqualTo(Claim.TICKET);
        waiting(store, newClaim(name, Mode.SHARED, QueuePolicy.GIVES_WAY));
        Claim barger = newClaim(name);
        granted(store, barger);
        waiting(store, first);
        get(store.release(barger));
        granted(store, first);
    }

    @Test
    @DisplayName("a place ends by itself, and is out of the way of those behind it")
    void ends() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        Claim dead = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        waiting(store, dead);
        Claim alive = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        waiting(store, alive);
        get(store.release(holder));
        await("turn", () -> get(store.renew(List.of(alive))).get(alive.id()) == ClaimStatus.TURN_REACHED);
        granted(store, alive);
        assertThat(get(store.renew(List.of(dead)))).isEmpty();
        assertThat(get(store.release(dead))).isEqualTo(new ReleaseResult(false, false));
        assertThat(get(store.inspect(Resource.lock(name))).waiters()).isEmpty();
    }

    @Test
    @DisplayName("a queue that everybody has left for dead is gone")
    void abandoned() {
        String name = newName();
        granted(store, newClaim(name).withLease(Duration.ofMillis(100)));
        waiting(store, newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES));
        waiting(store, newClaim(name, Mode.SHARED, QueuePolicy.QUEUES));
        await("gone", () -> redis.keys("*{" + name + "}").equals(List.of("holdfast:lock:{" + name + "}")));
    }

    @Test
    @DisplayName("exactly the next one is called: the first writer, or the readers up to the next writer")
    void calls() throws InterruptedException {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        String client = holder.client();
        Claim writer = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        Claim reader = newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        Claim another = newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        Claim last = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        Claim behind = newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        List<Claim> all = List.of(writer, reader, another, last, behind);
        try (Subscription calls = listen(client)) {
            all.forEach(claim -> waiting(store, claim));
            assertThat(get(store.renew(all)))
                    .containsOnlyKeys(all.stream().map(Claim::id).toList());
            assertThat(get(store.release(holder))).isEqualTo(new ReleaseResult(true, true));
            assertHeard(writer);
            assertThat(get(store.renew(all)))
                    .isEqualTo(Map.of(
                            writer.id(), ClaimStatus.TURN_REACHED,
                            reader.id(), ClaimStatus.WAITING,
                            another.id(), ClaimStatus.WAITING,
                            last.id(), ClaimStatus.WAITING,
                            behind.id(), ClaimStatus.WAITING));

            // One who gives up its place makes room as well.
            assertThat(get(store.release(writer))).isEqualTo(new ReleaseResult(false, false));
            assertHeard(reader, another);
            granted(store, reader);
            granted(store, another);
            get(store.release(reader));
            assertHeard();
            get(store.renew(all));
            get(store.release(another));
            assertHeard(last);
            granted(store, last);
            get(store.forceRelease(Resource.lock(name), OptionalLong.empty()));
            assertHeard(behind);
            assertThat(get(store.release(last))).isEqualTo(new ReleaseResult(false, false));
            assertHeard();
        }
    }

    @Test
    @DisplayName(
            "a client hears of its own claims only, also after its connection broke, and no more once it has closed")
    void clients() throws InterruptedException {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        Claim mine = newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        Claim others = new Claim(
                name, "other:client:1", Mode.SHARED, LEASE, 1, OWNER, QueuePolicy.QUEUES, 1, ClaimOptions.NONE);
        Claim odd = new Claim(name, "odd", Mode.SHARED, LEASE, 1, OWNER, QueuePolicy.QUEUES, 1, ClaimOptions.NONE);
        BlockingQueue<String> theirs = new LinkedBlockingQueue<>();
        Subscription calls = listen(mine.client());
        try (Subscription other = store.subscribe("other:client", ids(theirs::add))) {
            redis.clientKill(KillArgs.Builder.typePubsub());
            await("restored", () -> subscribers(mine.client()) == 1 && subscribers("other:client") == 1);
            waiting(store, mine);
            waiting(store, others);
            waiting(store, odd);
            get(store.release(holder));
            assertHeard(mine);
            assertThat(theirs.poll(5, TimeUnit.SECONDS)).isEqualTo(others.id());
            assertThat(theirs).isEmpty();
        }
        calls.close();
        await("closed", () -> subscribers(mine.client()) == 0);
    }

    @Test
    @DisplayName("who gets the lock from the queue leaves nothing in it, and has a plain lock like any other")
    void granted() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        Claim next = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        waiting(store, next);
        get(store.release(holder));
        long token = granted(store, next);
        assertThat(redis.hgetall(name)).isEqualTo(Map.of(next.id(), "1"));
        assertThat(redis.keys("*{" + name + "}")).containsExactly("holdfast:lock:{" + name + "}");
        assertThat(granted(store, next)).isEqualTo(token);
        assertThat(get(store.renew(List.of(next.withHolds(2))))).containsEntry(next.id(), ClaimStatus.HELD);
        Claimant shown = get(store.inspect(Resource.lock(name))).holders().get(0);
        assertThat(shown.token()).isEqualTo(token);
        assertThat(shown.holds()).isEqualTo(2);
    }

    @Test
    @DisplayName("a place whose detail the server has evicted is given up, not kept for ever")
    void evicted() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        waiting(store, newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES));
        redis.del("holdfast:claims:{" + name + "}");
        get(store.release(holder));
        granted(store, newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES));
    }

    @Test
    @DisplayName("a long queue is gone through in order")
    void longQueue() throws InterruptedException {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        List<Claim> readers = new ArrayList<>();
        for (int i = 0; i < 350; i++) {
            readers.add(newClaim(name, Mode.SHARED, QueuePolicy.QUEUES));
        }
        readers.forEach(reader -> get(store.claim(reader)));
        assertThat(get(store.renew(readers))).hasSize(350);
        try (Subscription calls = listen(holder.client())) {
            get(store.release(holder));
            assertHeard(readers.toArray(Claim[]::new));
        }
        assertThat(get(store.renew(readers)).values()).containsOnly(ClaimStatus.TURN_REACHED);
    }

    private Subscription listen(String client) {
        heard.clear();
        Subscription calls = store.subscribe(client, ids(heard::add));
        await("in place", () -> subscribers(client) == 1);
        return calls;
    }

    private long subscribers(String client) {
        String channel = "holdfast:calls:" + client;
        return redis.pubsubNumsub(channel).get(channel);
    }

    /** These were called, in this order, and nobody else: what comes next on the channel is our own. */
    private void assertHeard(Claim... claims) throws InterruptedException {
        for (Claim claim : claims) {
            assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo(claim.id());
        }
        redis.publish("holdfast:calls:" + newClaim("").client(), "mark");
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("mark");
    }
}
