package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The claiming script, branch by branch, run by the store and looked at in the server. */
class ClaimTest extends StoreTest {

    @Test
    @DisplayName("a free lock is granted, and stored as Redisson stores it")
    void grant() {
        String name = newName();
        Claim claim = newClaim(name).withHolds(3);
        long before = micros();
        long token = granted(store, claim);
        assertTrue(token >= before && token <= micros());
        assertEquals(Map.of(claim.id(), "3"), redis.hgetall(name));
        assertWithin(29_000, 30_000, redis.pttl(name));
        assertEquals(
                (token + 9) + " " + token + " " + token + " " + claim.id() + "\nclient-7\nhost.example\n4711\nworker-1",
                redis.get("holdfast:lock:{" + name + "}"));
        assertWithin(DAY + 29_000, DAY + 30_000, redis.pttl("holdfast:lock:{" + name + "}"));
    }

    @Test
    @DisplayName("a lock that somebody else holds is busy for as long as its lease lasts, and stays as it is")
    void busy() {
        String name = newName();
        Claim holder = newClaim(name);
        granted(store, holder);
        String record = record(name);
        assertWithin(
                29_000,
                30_000,
                waiting(store, newClaim(name).withLease(LEASE.multipliedBy(2))).toMillis());
        assertEquals(Map.of(holder.id(), "1"), redis.hgetall(name));
        assertEquals(record, record(name));
        assertWithin(29_000, 30_000, redis.pttl(name));
    }

    @Test
    @DisplayName(
            "a claim that runs twice has the same token and the same range, and its hold count is set, not added to")
    void twice() {
        String name = newName();
        Claim claim = newClaim(name);
        long token = granted(store, claim);
        String record = record(name);
        assertEquals(token, granted(store, claim.withHolds(2)));
        assertEquals(record, record(name));
        assertEquals("2", redis.hget(name, claim.id()));
        assertEquals(token, granted(store, claim.withHolds(2)));
        assertEquals("2", redis.hget(name, claim.id()));
    }

    @Test
    @DisplayName("a late duplicate with a shorter lease shortens nothing; one with a longer lease extends")
    void lateDuplicate() {
        String name = newName();
        Claim claim = newClaim(name);
        granted(store, claim);
        granted(store, claim.withLease(Duration.ofMillis(50)));
        assertWithin(28_000, 30_000, redis.pttl(name));
        granted(store, claim.withLease(Duration.ofSeconds(60)));
        assertWithin(58_000, 60_000, redis.pttl(name));
        assertWithin(DAY + 58_000, DAY + 60_000, redis.pttl("holdfast:lock:{" + name + "}"));
    }

    @Test
    @DisplayName("tokens rise over release, expiry, deletion of the record and a clock that was ahead")
    void tokensRise() {
        String name = newName();
        Claim first = newClaim(name);
        long last = granted(store, first) + 9;
        get(store.release(first));
        Claim second = newClaim(name).withLease(Duration.ofMillis(20));
        long token = granted(store, second);
        assertTrue(token > last);
        last = token + 9;
        await("expired", () -> redis.exists(name) == 0);

        redis.del("holdfast:lock:{" + name + "}");
        Claim third = newClaim(name);
        token = granted(store, third);
        assertTrue(token > last);
        get(store.release(third));

        long ahead = micros() + 3_600_000_000L;
        redis.set("holdfast:lock:{" + name + "}", ahead + " " + ahead + " " + ahead + " x:1\na\nb\n1\nc");
        assertEquals(ahead + 1, granted(store, newClaim(name)));
        assertTrue(record(name).startsWith((ahead + 10) + " " + (ahead + 1) + " "));
    }

    @Test
    @DisplayName("a record whose tokens are ahead of the clock is kept until the clock has passed them")
    void tokensAhead() {
        String name = newName();
        long ahead = micros() + 2 * DAY * 1_000;
        redis.set("holdfast:lock:{" + name + "}", ahead + " " + ahead + " " + ahead + " x:1\na\nb\n1\nc");
        Claim plain = newClaim(name);
        granted(store, plain);
        assertWithin(3 * DAY + 20_000, 3 * DAY + 30_000, redis.pttl("holdfast:lock:{" + name + "}"));
        get(store.release(plain));
        granted(store, newClaim(name, Mode.SHARED, QueuePolicy.BARGES));
        assertWithin(3 * DAY + 20_000, 3 * DAY + 30_000, redis.pttl("holdfast:lock:{" + name + "}"));
    }

    @Test
    @DisplayName("a holder whose record was evicted, or is another's, gets new tokens that still rise")
    void recordLost() {
        String name = newName();
        Claim claim = newClaim(name);
        long token = granted(store, claim);
        redis.del("holdfast:lock:{" + name + "}");
        long again = granted(store, claim);
        assertTrue(again > token + 9);
        redis.set("holdfast:lock:{" + name + "}", (again + 5000) + " 1 1 somebody:1\na\nb\n1\nc");
        assertTrue(granted(store, claim) > again + 5000);
        redis.set("holdfast:lock:{" + name + "}", "this is not a record");
        assertTrue(granted(store, claim) > again);
    }

    @Test
    @DisplayName("a duplicate that wants a wider range gets it from the same first token")
    void widerRange() {
        String name = newName();
        Claim claim = newClaim(name);
        long token = granted(store, claim);
        Claim wider = new Claim(name, claim.id(), Mode.EXCLUSIVE, LEASE, 1, 100, OWNER);
        assertEquals(token, granted(store, wider));
        assertTrue(record(name).startsWith((token + 99) + " " + token + " "));
    }

    @Test
    @DisplayName("a token that a double can't count on from is refused, not repeated")
    void tokensExhausted() {
        String name = newName();
        redis.set("holdfast:lock:{" + name + "}", "9007199254740990 1 1 x:1\na\nb\n1\nc");
        StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(newClaim(name)));
        assertTrue(refused.getMessage().contains("holdfast:lock:{" + name + "}"));
        assertEquals(0, redis.exists(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "list", "set", "zset", "hash"})
    @DisplayName("a key that is not a lock is refused by name, and left alone")
    void foreign(String kind) {
        String name = newName();
        switch (kind) {
            case "string" -> redis.set(name, "data");
            case "list" -> redis.rpush(name, "data");
            case "set" -> redis.sadd(name, "data");
            case "zset" -> redis.zadd(name, 1, "data");
            default -> redis.hset(name, "data", "1");
        }
        Claim claim = newClaim(name);
        for (int i = 0; i < 2; i++) {
            StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(claim));
            assertFalse(refused.retryable());
            assertTrue(refused.getMessage().contains("lock '" + name + "' was refused by Redis at 127.0.0.1:"));
            assertTrue(refused.getMessage().contains(kind));
            // With an expiry, a hash could be a lock of another library: busy, and never granted.
            if (kind.equals("hash")) {
                break;
            }
            redis.pexpire(name, 60_000);
        }
        assertEquals(Set.of(), get(store.renew(List.of(claim))).keySet());
        assertFalse(get(store.release(claim)).held());
        failure(StoreRefusedException.class, store.forceRelease(Resource.lock(name), OptionalLong.empty()));
        failure(StoreRefusedException.class, store.inspect(Resource.lock(name)));
        assertEquals(kind, redis.type(name));
    }

    @Test
    @DisplayName("a record's key that is not a string is refused before anything is written")
    void foreignRecord() {
        String name = newName();
        redis.rpush("holdfast:lock:{" + name + "}", "data");
        StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(newClaim(name)));
        assertFalse(refused.retryable());
        assertEquals(0, redis.exists(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ends", "queue", "claims", "permits", "permits-ends", "permits-queue", "semaphore"})
    @DisplayName("another key that is not what it should be is refused, and does not hold up the renewal of others")
    void foreignBeside(String kind) {
        String name = newName();
        String key = "holdfast:" + kind + ":{" + name + "}";
        boolean semaphore = kind.startsWith("permits") || kind.equals("semaphore");
        redis.rpush(key, "data");
        Claim claim = semaphore
                ? newPermits(name, 1, 1, QueuePolicy.QUEUES)
                : newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(claim));
        assertFalse(refused.retryable());
        assertTrue(refused.getMessage().contains(name), refused.getMessage());
        Claim other = newShared(newName());
        granted(store, other);
        assertEquals(Set.of(other.id()), get(store.renew(List.of(claim, other))).keySet());
        assertEquals("list", redis.type(key));
        redis.del(key);
        granted(store, claim);
        for (String left : redis.keys("*{" + name + "}")) {
            assertNotEquals(-1, redis.pttl(left), left);
        }
    }

    @Test
    @DisplayName("what a script could not work with does not reach it")
    void badArguments() {
        Claim claim = newClaim(newName());
        assertThrows(IllegalArgumentException.class, () -> store.claim(claim.withLease(Duration.ZERO)));
        assertThrows(IllegalArgumentException.class, () -> store.claim(claim.withLease(Duration.ofDays(100_000))));
        assertThrows(IllegalArgumentException.class, () -> store.claim(claim.withHolds(0)));
        assertThrows(
                IllegalArgumentException.class,
                () -> store.claim(new Claim(claim.name(), "a b", Mode.EXCLUSIVE, LEASE, 1, 1, OWNER)));
        assertThrows(
                IllegalArgumentException.class,
                () -> store.claim(new Claim(claim.name(), "a:1", Mode.EXCLUSIVE, LEASE, 1, 0, OWNER)));
        assertThrows(
                IllegalArgumentException.class, () -> store.claim(newPermits(claim.name(), 0, 1, QueuePolicy.BARGES)));
        assertThrows(
                IllegalArgumentException.class, () -> store.claim(newPermits(claim.name(), 1, -1, QueuePolicy.BARGES)));
        assertThrows(
                IllegalArgumentException.class,
                () -> store.claim(new Claim(
                        claim.name(),
                        "a:1",
                        Mode.SHARED,
                        LEASE,
                        1,
                        OWNER,
                        QueuePolicy.BARGES,
                        1,
                        ClaimOptions.NONE.withCompatible("a b"))));
        assertEquals(0, redis.exists(claim.name()));
        granted(store, claim.withLease(Duration.ofNanos(1_500_000)));
        assertNotEquals(-1, redis.pttl(claim.name()));
    }
}
