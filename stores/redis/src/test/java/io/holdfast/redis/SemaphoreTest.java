package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SemaphoreTest extends StoreTest {

    @AfterEach
    void nothingStays() {
        assertKeysExpire();
    }

    @Test
    @DisplayName("permits are granted while there are some, each claim with its own end and token")
    void grants() {
        String name = newName();
        Claim two = newPermits(name, 2, 3, QueuePolicy.BARGES).withLease(Duration.ofSeconds(60));
        Claim one = newPermits(name, 1, 99, QueuePolicy.BARGES).withHolds(2);
        long token = granted(store, two);
        assertThat(granted(store, one)).isGreaterThan(token);
        assertThat(redis.hgetall("holdfast:semaphore:{" + name + "}")).isEqualTo(Map.of(two.id(), "2", one.id(), "1"));
        assertWithin(58_000, 60_000, redis.pttl("holdfast:semaphore:{" + name + "}"));
        assertWithin(
                28_000,
                30_000,
                waiting(store, newPermits(name, 1, 3, QueuePolicy.BARGES)).toMillis());
        assertThat(granted(store, two)).isEqualTo(token);
        LockState state = get(store.inspect(Resource.semaphore(name)));
        assertThat(state.permits()).isEqualTo(3);
        assertThat(state.holders()).extracting(Claimant::permits).containsExactly(2, 1);
        assertThat(state.holders()).extracting(Claimant::holds).containsExactly(1, 2);
        assertThat(state.holders()).extracting(Claimant::mode).containsOnly(Mode.PERMITS);
        assertThat(state.holders()).extracting(Claimant::host).containsOnly("host.example");
        assertThat(get(store.release(two))).isEqualTo(new ReleaseResult(true, false));
        assertThat(get(store.release(two))).isEqualTo(new ReleaseResult(false, false));
        assertWithin(28_000, 30_000, redis.pttl("holdfast:semaphore:{" + name + "}"));
        granted(store, newPermits(name, 2, 3, QueuePolicy.BARGES));
    }

    @Test
    @DisplayName("as many permits as an int can count are shown as what they are")
    void countsTheMost() {
        String name = newName();
        Claim all = newPermits(name, Integer.MAX_VALUE, Integer.MAX_VALUE, QueuePolicy.BARGES);
        granted(store, all);
        LockState state = get(store.inspect(Resource.semaphore(name)));
        assertThat(state.permits()).isEqualTo(Integer.MAX_VALUE);
        assertThat(state.holders()).extracting(Claimant::permits).containsExactly(Integer.MAX_VALUE);
        get(store.release(all));
    }

    @Test
    @DisplayName("permits come back when a lease ends, though others are renewed")
    void ends() {
        String name = newName();
        Claim dead = newPermits(name, 2, 3, QueuePolicy.BARGES).withLease(Duration.ofMillis(300));
        Claim alive = newPermits(name, 1, 3, QueuePolicy.BARGES);
        granted(store, dead);
        granted(store, alive);
        Claim next = newPermits(name, 2, 3, QueuePolicy.BARGES);
        await("granted", () -> {
            get(store.renew(List.of(alive)));
            return get(store.claim(next)) instanceof ClaimResult.Granted;
        });
        assertThat(get(store.renew(List.of(dead)))).isEmpty();
        assertThat(get(store.release(dead)).held()).isFalse();
    }

    @Test
    @DisplayName("fewer permits are given back by a renewal, more are not taken; who they are for is called")
    void fewer() throws InterruptedException {
        String name = newName();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Claim three = newPermits(name, 3, 3, QueuePolicy.BARGES);
        Claim waits = newPermits(name, 2, 3, QueuePolicy.QUEUES);
        try (Subscription calls = store.subscribe(three.client(), ids(heard::add))) {
            await(
                    "in place",
                    () -> redis.pubsubNumsub(Keys.calls(three.client())).containsValue(1L));
            granted(store, three);
            waiting(store, waits);
            get(store.renew(List.of(three.withPermits(2))));
            assertThat(get(store.renew(List.of(waits)))).containsEntry(waits.id(), ClaimStatus.WAITING);
            assertThat(heard).isEmpty();
            get(store.renew(List.of(three.withPermits(1))));
            assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo(waits.id());
            get(store.renew(List.of(three)));
            granted(store, three);
            assertThat(get(store.renew(List.of(waits)))).containsEntry(waits.id(), ClaimStatus.TURN_REACHED);
            granted(store, waits);
            assertThat(get(store.inspect(Resource.semaphore(name))).holders())
                    .extracting(Claimant::permits)
                    .containsExactly(1, 2);
        }
    }

    @Test
    @DisplayName("more permits than there are can't be had, and no place is kept for them")
    void tooMany() {
        String name = newName();
        Claim five = newPermits(name, 5, 3, QueuePolicy.QUEUES);
        StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(five));
        assertThat(refused).hasMessage("semaphore '" + name + "' has 3 permits, so 5 can't be had");
        assertThat(refused.retryable()).isFalse();
        assertThat(get(store.inspect(Resource.semaphore(name))).waiters()).isEmpty();

        Claim holder = newPermits(name, 3, 3, QueuePolicy.BARGES);
        granted(store, holder);
        Claim waits = newPermits(name, 3, 3, QueuePolicy.QUEUES);
        waiting(store, waits);
        assertThat(get(store.addPermits(name, "fewer", -1, 3))).isEqualTo(2);
        assertThat(get(store.renew(List.of(waits)))).containsEntry(waits.id(), ClaimStatus.TURN_REACHED);
        failure(StoreRefusedException.class, store.claim(waits));
        assertThat(get(store.renew(List.of(waits)))).isEmpty();
        assertThat(granted(store, holder)).as("held already").isPositive();
    }

    @Test
    @DisplayName("permits are added and taken away once for each id, down to none")
    void addPermits() {
        String name = newName();
        assertThat(get(store.inspect(Resource.semaphore(name))).permits()).isEqualTo(-1);
        assertThat(get(store.addPermits(name, "a b {}", 2, 3))).isEqualTo(5);
        assertThat(get(store.addPermits(name, "a b {}", 2, 3))).isEqualTo(5);
        assertThat(get(store.addPermits(name, "b", 0, 99))).isEqualTo(5);
        assertThat(get(store.addPermits(name, "c", -9, 3))).isZero();
        assertThat(get(store.inspect(Resource.semaphore(name))).permits()).isZero();
        failure(StoreRefusedException.class, store.claim(newPermits(name, 1, 3, QueuePolicy.BARGES)));
        assertThat(get(store.addPermits(name, "d", Integer.MAX_VALUE, 3))).isEqualTo(Integer.MAX_VALUE);
        assertThat(get(store.addPermits(name, "e", Integer.MAX_VALUE, 3))).isEqualTo(Integer.MAX_VALUE);
        assertWithin(DAY - 5_000, DAY, redis.pttl("holdfast:permits:{" + name + "}"));
        assertWithin(DAY - 5_000, DAY, redis.pttl("holdfast:permits-changes:{" + name + "}"));
    }

    @Test
    @DisplayName("changes are forgotten after a day, when a late repetition is no longer to be feared")
    void changesForgotten() {
        String name = newName();
        get(store.addPermits(name, "old", 1, 3));
        redis.zadd("holdfast:permits-changes:{" + name + "}", micros() / 1_000.0 - DAY - 1, "old");
        get(store.addPermits(name, "new", 1, 3));
        assertThat(redis.zrange("holdfast:permits-changes:{" + name + "}", 0, -1))
                .containsExactly("new");
    }

    @Test
    @DisplayName("a semaphore outlives its holders and who waits by a day, and its tokens rise all the while")
    void kept() {
        String name = newName();
        String record = "holdfast:permits:{" + name + "}";
        Claim claim = newPermits(name, 3, 3, QueuePolicy.BARGES);
        long token = granted(store, claim);
        assertWithin(DAY + 28_000, DAY + 30_000, redis.pttl(record));
        redis.pexpire(record, 1_000);
        get(store.renew(List.of(claim)));
        assertWithin(DAY / 2, DAY + 30_000, redis.pttl(record));
        redis.pexpire(record, 1_000);
        waiting(store, newPermits(name, 1, 3, QueuePolicy.QUEUES));
        assertWithin(DAY - 5_000, DAY, redis.pttl(record));
        get(store.release(claim));
        assertThat(granted(store, newPermits(name, 1, 99, QueuePolicy.BARGES))).isGreaterThan(token);
        assertThat(get(store.inspect(Resource.semaphore(name))).permits()).isEqualTo(3);
    }

    @Test
    @DisplayName("those who watch are told when all permits are back")
    void watched() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        try (Subscription watch = store.watch(Resource.semaphore(name), calls::incrementAndGet)) {
            await("in place", () -> calls.get() == 1);
            Claim first = newPermits(name, 1, 3, QueuePolicy.BARGES);
            Claim second = newPermits(name, 1, 3, QueuePolicy.BARGES);
            granted(store, first);
            granted(store, second);
            get(store.release(first));
            get(store.release(second));
            await("told", () -> calls.get() == 2);
            granted(store, first);
            assertThat(get(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())))
                    .isTrue();
            assertThat(get(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())))
                    .isFalse();
            await("told", () -> calls.get() == 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "{a}", "a{}b", "}{", "holdfast:semaphore:{a}", "🔒 *?[x]", "holdfast:permits:{a}"})
    @DisplayName("a lock, a semaphore and a latch of one name, however odd, have nothing to do with each other")
    void kinds(String odd) {
        String name = odd + newName();
        Claim lock = newClaim(name);
        Claim permits = newPermits(name, 1, 1, QueuePolicy.BARGES);
        granted(store, lock);
        granted(store, permits);
        get(store.latches().set(name, "id", 1));
        waiting(store, newPermits(name, 1, 1, QueuePolicy.QUEUES));
        waiting(store, newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES));
        assertThat(get(store.list(ResourceType.SEMAPHORE, name, 10)))
                .singleElement()
                .satisfies(state -> {
                    assertThat(state.name()).isEqualTo(name);
                    assertThat(state.permits()).isEqualTo(1);
                    assertThat(state.waiters()).hasSize(1);
                });
        assertThat(get(store.list(ResourceType.LOCK, name, 10)))
                .singleElement()
                .satisfies(state -> assertThat(state.holders().get(0).claimId()).isEqualTo(lock.id()));
        assertThat(get(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())))
                .isTrue();
        assertThat(get(store.list(ResourceType.SEMAPHORE, name, 10))).isEmpty();
        assertThat(get(store.renew(List.of(lock, permits)))).isEqualTo(Map.of(lock.id(), ClaimStatus.HELD));
        assertThat(get(store.latches().look(name)).count()).isEqualTo(1);
    }
}
