package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.Claimant;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Readers of one lock, each with an end of its own, in the hash that Redisson takes for a lock. */
class SharedClaimTest extends StoreTest {

    private static final String REDISSON = "5f6f1d3c-6a43-4a52-9d5e-1f2a3b4c5d6e:93";
    private static final Duration SHORT = Duration.ofMillis(300);

    @AfterEach
    void nothingStays() {
        assertKeysExpire();
    }

    @Test
    @DisplayName("readers are together in the lock's hash, which lasts as long as the last of them")
    void together() {
        String name = newName();
        Claim first = newShared(name).withLease(Duration.ofSeconds(60)).withHolds(2);
        Claim second = newShared(name);
        long token = granted(store, first);
        assertThat(granted(store, second)).isGreaterThan(token);
        assertThat(redis.hgetall(name)).isEqualTo(Map.of(first.id(), "2", second.id(), "1"));
        assertWithin(58_000, 60_000, redis.pttl(name));
        assertWithin(28_000, 30_000, waiting(store, newClaim(name)).toMillis());

        assertThat(get(store.release(first))).isEqualTo(new ReleaseResult(true, false));
        assertWithin(28_000, 30_000, redis.pttl(name));
        waiting(store, newClaim(name));
        assertThat(get(store.release(first))).isEqualTo(new ReleaseResult(false, false));
        assertThat(get(store.release(second)).held()).isTrue();
        assertThat(redis.keys("*{" + name + "}")).containsExactly("holdfast:lock:{" + name + "}");
        assertThat(granted(store, newClaim(name))).isGreaterThan(token + 1);
    }

    @Test
    @DisplayName("a dead reader is not kept alive by a living one")
    void deadReader() {
        String name = newName();
        Claim dead = newShared(name).withLease(SHORT);
        Claim alive = newShared(name);
        granted(store, dead);
        granted(store, alive);
        await("ended", () -> {
            assertThat(get(store.renew(List.of(alive)))).containsEntry(alive.id(), ClaimStatus.HELD);
            return get(store.inspect(Resource.lock(name))).holders().size() == 1;
        });
        assertThat(get(store.renew(List.of(dead, alive)))).isEqualTo(Map.of(alive.id(), ClaimStatus.HELD));
        assertThat(redis.hgetall(name)).isEqualTo(Map.of(alive.id(), "1"));
        assertThat(get(store.release(dead)).held()).isFalse();
        get(store.release(alive));
        granted(store, newClaim(name));
    }

    @Test
    @DisplayName("a writer gets the lock when the last reader has ended, not when the hash would have")
    void endedReader() {
        String name = newName();
        Claim reader = newShared(name).withLease(SHORT);
        granted(store, reader);
        redis.pexpire(name, 60_000);
        Claim writer = newClaim(name);
        assertThat(waiting(store, writer)).isLessThanOrEqualTo(SHORT);
        await("granted", () -> get(store.claim(writer)) instanceof ClaimResult.Granted);
        assertThat(redis.hgetall(name)).isEqualTo(Map.of(writer.id(), "1"));
        assertThat(get(store.release(reader)).held()).isFalse();
        assertThat(redis.hgetall(name)).isEqualTo(Map.of(writer.id(), "1"));
    }

    @Test
    @DisplayName("a renewal moves the end of one reader only, and never to an earlier time")
    void renew() {
        String name = newName();
        Claim first = newShared(name);
        Claim second = newShared(name);
        granted(store, first);
        granted(store, second);
        get(store.renew(List.of(
                first.withLease(Duration.ofSeconds(90)).withHolds(4), second.withLease(Duration.ofSeconds(1)))));
        List<Claimant> holders = get(store.inspect(Resource.lock(name))).holders();
        assertThat(holders).extracting(Claimant::claimId).containsExactly(first.id(), second.id());
        assertThat(holders).extracting(Claimant::mode).containsOnly(Mode.SHARED);
        assertThat(holders).extracting(Claimant::holds).containsExactly(4, 1);
        assertWithin(88_000, 90_000, holders.get(0).timeLeft().toMillis());
        assertWithin(28_000, 30_000, holders.get(1).timeLeft().toMillis());
        assertWithin(88_000, 90_000, redis.pttl(name));
        granted(store, second.withLease(Duration.ofSeconds(1)));
        assertWithin(
                28_000,
                30_000,
                get(store.inspect(Resource.lock(name)))
                        .holders()
                        .get(1)
                        .timeLeft()
                        .toMillis());
    }

    @Test
    @DisplayName("a writer that reads as well gives up the one and keeps the other, with its own end")
    void downgrade() {
        String name = newName();
        Claim writer = newClaim(name).withLease(Duration.ofSeconds(60));
        long token = granted(store, writer);
        Claim reader = newSharedBeside(writer);
        assertThat(granted(store, reader)).isGreaterThan(token + 9);
        waiting(store, newShared(name));
        waiting(store, newClaim(name));
        assertThat(granted(store, writer.withLease(Duration.ofSeconds(60)))).isEqualTo(token);
        assertThat(get(store.renew(List.of(writer.withHolds(2), reader)))).hasSize(2);
        assertThat(get(store.inspect(Resource.lock(name))).holders())
                .extracting(Claimant::claimId, Claimant::token, Claimant::holds, Claimant::mode)
                .containsExactly(
                        tuple(writer.id(), token, 2, Mode.EXCLUSIVE),
                        tuple(reader.id(), granted(store, reader), 1, Mode.SHARED));
        assertWithin(58_000, 60_000, redis.pttl(name));

        assertThat(get(store.release(writer)).held()).isTrue();
        assertWithin(28_000, 30_000, redis.pttl(name));
        granted(store, newShared(name));
        waiting(store, newClaim(name));
    }

    @Test
    @DisplayName("a writer that ends while its reader lives on is out of the way of other readers, and only that")
    void endedWriter() {
        String name = newName();
        Claim writer = newClaim(name).withLease(SHORT);
        granted(store, writer);
        Claim reader = newSharedBeside(writer);
        granted(store, reader);
        Claim other = newShared(name);
        assertThat(waiting(store, other)).isLessThanOrEqualTo(SHORT);
        await("granted", () -> get(store.claim(other)) instanceof ClaimResult.Granted);
        assertThat(redis.hgetall(name)).isEqualTo(Map.of(reader.id(), "1", other.id(), "1"));
        assertThat(get(store.renew(List.of(writer, reader)))).isEqualTo(Map.of(reader.id(), ClaimStatus.HELD));
        assertThat(get(store.release(writer)).held()).isFalse();
        waiting(store, newClaim(name));
    }

    @Test
    @DisplayName("a writer that is renewed next to its reader lasts, and can be released before it or after")
    void renewedWriter() {
        String name = newName();
        Claim writer = newClaim(name).withLease(SHORT);
        granted(store, writer);
        Claim reader = newSharedBeside(writer).withLease(SHORT);
        granted(store, reader);
        get(store.renew(List.of(writer.withLease(LEASE))));
        await(
                "reader ended",
                () -> get(store.inspect(Resource.lock(name))).holders().size() == 1);
        waiting(store, newShared(name));
        assertThat(get(store.renew(List.of(writer)))).containsEntry(writer.id(), ClaimStatus.HELD);
        assertThat(get(store.release(writer)).held()).isTrue();
        granted(store, newShared(name));
    }

    @Test
    @DisplayName("the channel is told when the last reader has gone, and not before")
    void told() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        try (Subscription watch = store.watch(Resource.lock(name), calls::incrementAndGet)) {
            await("in place", () -> calls.get() == 1);
            Claim first = newShared(name);
            Claim second = newShared(name);
            granted(store, first);
            granted(store, second);
            long published = calls("publish");
            get(store.release(first));
            assertThat(calls("publish")).isEqualTo(published);
            get(store.release(second));
            await("told", () -> calls.get() == 2);
        }
    }

    @Test
    @DisplayName("a lock of Redisson's is busy for readers, its read/write lock as well")
    void redisson() {
        String name = newName();
        redis.hset(name, REDISSON, "1");
        redis.pexpire(name, 60_000);
        assertWithin(58_000, 60_000, waiting(store, newShared(name)).toMillis());
        assertThat(redis.hlen(name)).isEqualTo(1);
        String readWrite = newName();
        redis.hset(readWrite, Map.of("mode", "read", REDISSON, "1"));
        redis.pexpire(readWrite, 60_000);
        waiting(store, newShared(readWrite));
        waiting(store, newClaim(readWrite));
        waiting(store, newClaim(readWrite, Mode.EXCLUSIVE, QueuePolicy.QUEUES));
        assertThat(redis.hlen(readWrite)).isEqualTo(2);
    }

    @Test
    @DisplayName("readers whose hash somebody else deleted are gone, and not mistaken for who took the lock then")
    void deletedByOthers() {
        for (boolean one : new boolean[] {true, false}) {
            String name = newName();
            Claim first = newShared(name);
            granted(store, first);
            Claim second = newShared(name);
            if (!one) {
                granted(store, second);
            }
            redis.del(name);
            redis.hset(name, REDISSON, "1");
            redis.pexpire(name, 60_000);
            waiting(store, newShared(name));
            assertThat(get(store.renew(List.of(first, second)))).isEmpty();
            assertThat(get(store.release(first)).held()).isFalse();
            assertThat(redis.hgetall(name)).isEqualTo(Map.of(REDISSON, "1"));
            redis.del(name);
            long token = granted(store, newShared(name));
            assertThat(token).isPositive();
            waiting(store, newClaim(name));
        }
    }

    @Test
    @DisplayName("readers whose ends the server has evicted hold until their hash ends, and keep everybody else out")
    void evicted() {
        String name = newName();
        Claim reader = newShared(name);
        granted(store, reader);
        redis.del("holdfast:ends:{" + name + "}");
        waiting(store, newShared(name));
        waiting(store, newClaim(name));
        assertThat(get(store.renew(List.of(reader)))).containsEntry(reader.id(), ClaimStatus.HELD);
        assertThat(get(store.release(reader)).held()).isTrue();
        granted(store, newClaim(name));
    }

    @Test
    @DisplayName("force ends all readers, however many, and nothing of them stays")
    void force() {
        String name = newName();
        for (int i = 0; i < 100; i++) {
            granted(store, newShared(name));
        }
        assertThat(get(store.inspect(Resource.lock(name))).holders()).hasSize(100);
        assertThat(get(store.list(ResourceType.LOCK, name, 10))).hasSize(1);
        assertThat(get(store.forceRelease(Resource.lock(name), OptionalLong.empty())))
                .isTrue();
        assertThat(redis.keys("*{" + name + "}")).containsExactly("holdfast:lock:{" + name + "}");
        granted(store, newClaim(name));
    }
}
