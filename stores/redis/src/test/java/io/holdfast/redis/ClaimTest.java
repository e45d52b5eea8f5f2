package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts, branch by branch, each run by the store and looked at in the server. */
class ClaimTest extends StoreTest {

    private static final long DAY = Duration.ofDays(1).toMillis();

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
            assertTrue(refused.getMessage().contains("Lock \"" + name + "\" on Redis at 127.0.0.1:"));
            assertTrue(refused.getMessage().contains(kind));
            // With an expiry, a hash could be a lock of another library: busy, and never granted.
            if (kind.equals("hash")) {
                break;
            }
            redis.pexpire(name, 60_000);
        }
        assertEquals(Set.of(), get(store.renew(List.of(claim))));
        assertFalse(get(store.release(claim)).held());
        failure(StoreRefusedException.class, store.forceRelease(name));
        failure(StoreRefusedException.class, store.inspect(name));
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

    @Test
    @DisplayName("a release ends the claim and tells the channel once; a second one changes and tells nothing")
    void release() {
        String name = newName();
        Claim claim = newClaim(name);
        granted(store, claim);
        String record = record(name);
        assertEquals(new Release(true, false), get(store.release(claim)));
        assertEquals(0, redis.exists(name));
        assertEquals(record, record(name));

        Claim next = newClaim(name);
        granted(store, next);
        long published = calls("publish");
        assertEquals(new Release(false, false), get(store.release(claim)));
        assertEquals(published, calls("publish"));
        assertEquals(Map.of(next.id(), "1"), redis.hgetall(name));
    }

    @Test
    @DisplayName("a renewal sets lease and hold count of what is held, and leaves the rest alone")
    void renew() {
        Claim held = newClaim(newName()).withLease(Duration.ofSeconds(5));
        Claim longer = newClaim(newName());
        Claim wrong = newClaim(newName());
        Claim lost = newClaim(newName());
        Claim never = newClaim(newName());
        for (Claim claim : List.of(held, longer, wrong, lost)) {
            granted(store, claim);
        }
        redis.del(wrong.name());
        redis.set(wrong.name(), "data");
        redis.del(lost.name());
        Claim thief = newClaim(lost.name());
        granted(store, thief);

        Set<String> still = get(store.renew(List.of(
                wrong,
                held.withLease(Duration.ofSeconds(20)).withHolds(2),
                lost,
                longer.withLease(Duration.ofSeconds(1)),
                never)));
        assertEquals(Set.of(held.id(), longer.id()), still);
        assertWithin(19_000, 20_000, redis.pttl(held.name()));
        assertEquals("2", redis.hget(held.name(), held.id()));
        assertWithin(28_000, 30_000, redis.pttl(longer.name()));
        assertEquals(Map.of(thief.id(), "1"), redis.hgetall(lost.name()));
        assertEquals(0, redis.exists(never.name()));
        assertEquals("data", redis.get(wrong.name()));
    }

    @Test
    @DisplayName("a renewal keeps the record alive, but doesn't write it each time")
    void renewRecord() {
        Claim claim = newClaim(newName());
        granted(store, claim);
        String key = "holdfast:lock:{" + claim.name() + "}";
        redis.pexpire(key, DAY - 3_600_000);
        get(store.renew(List.of(claim)));
        assertWithin(0, DAY - 3_600_000, redis.pttl(key));
        redis.pexpire(key, 1_000);
        get(store.renew(List.of(claim)));
        assertWithin(DAY + 29_000, DAY + 30_000, redis.pttl(key));
    }

    @Test
    @DisplayName("a thousand claims are renewed in a handful of scripts")
    void renewMany() {
        List<Claim> many = java.util.stream.IntStream.range(0, 1_000)
                .mapToObj(i -> newClaim(newName()))
                .toList();
        many.forEach(store::claim);
        granted(store, newClaim(newName()));
        get(store.release(many.get(500)));
        get(store.renew(many.subList(0, 1)));
        long before = calls("evalsha");
        Set<String> held = get(store.renew(many));
        assertEquals(4, calls("evalsha") - before);
        assertEquals(999, held.size());
        assertFalse(held.contains(many.get(500).id()));
        assertEquals(Set.of(), get(store.renew(List.of())));
    }

    @Test
    @DisplayName("scripts flushed at any time cost one EVAL and no double grant")
    void flushed() {
        String name = newName();
        Claim claim = newClaim(name);
        redis.scriptFlush();
        long token = granted(store, claim);
        redis.scriptFlush();
        assertEquals(token, granted(store, claim));
        redis.scriptFlush();
        waiting(store, newClaim(name));
        redis.scriptFlush();
        assertEquals(Set.of(claim.id()), get(store.renew(List.of(claim))));
        redis.scriptFlush();
        assertTrue(get(store.release(claim)).held());
    }

    @Test
    @DisplayName("force takes a lock from Holdfast and from Redisson, not from anything else; tokens go on rising")
    void force() {
        String name = newName();
        long token = granted(store, newClaim(name));
        assertTrue(get(store.forceRelease(name)));
        assertFalse(get(store.forceRelease(name)));
        long next = granted(store, newClaim(name));
        assertTrue(next > token + 9);

        String theirs = newName();
        redis.hset(theirs, "5f6f1d3c-6a43-4a52-9d5e-1f2a3b4c5d6e:93", "1");
        assertTrue(get(store.forceRelease(theirs)), "without an expiry, too: this is how to get rid of it");
        redis.hset(theirs, Map.of("5f6f1d3c-6a43-4a52-9d5e-1f2a3b4c5d6e:93", "1", "colour", "red"));
        redis.pexpire(theirs, 60_000);
        failure(StoreRefusedException.class, store.forceRelease(theirs));
        assertEquals(2, redis.hlen(theirs));
    }

    @Test
    @DisplayName("an uncontended lock costs one EVALSHA, its release another, and an idle store nothing")
    void roundTrips() {
        String name = newName();
        granted(store, newClaim(newName()));
        Claim warm = newClaim(newName());
        granted(store, warm);
        get(store.release(warm));
        redis.configResetstat();
        Claim claim = newClaim(name);
        granted(store, claim);
        get(store.release(claim));
        String stats = redis.info("commandstats");
        assertEquals(2, calls("evalsha"));
        // What the scripts do inside is counted as well; nothing else is.
        for (String line : stats.split("\r\n")) {
            if (line.startsWith("cmdstat_")) {
                String command = line.substring("cmdstat_".length(), line.indexOf(':'));
                assertTrue(
                        Set.of(
                                        "evalsha",
                                        "pttl",
                                        "get",
                                        "time",
                                        "pexpire",
                                        "set",
                                        "hset",
                                        "hdel",
                                        "publish",
                                        "info",
                                        "config|resetstat")
                                .contains(command),
                        command);
            }
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
        assertEquals(0, redis.exists(claim.name()));
        granted(store, claim.withLease(Duration.ofNanos(1_500_000)));
        assertNotEquals(-1, redis.pttl(claim.name()));
    }

    private long calls(String command) {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .sum();
    }

    private String record(String name) {
        return redis.get("holdfast:lock:{" + name + "}");
    }

    private long micros() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    private static void assertWithin(long from, long to, long actual) {
        assertTrue(from <= actual && actual <= to, () -> actual + " is not within " + from + " and " + to);
    }
}
