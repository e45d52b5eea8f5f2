package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happens to a claim that is held: the scripts that renew and end it. */
class HoldTest extends StoreTest {

    @Test
    @DisplayName("a release ends the claim and tells the channel once; a second one changes and tells nothing")
    void release() {
        String name = newName();
        Claim claim = newClaim(name);
        granted(store, claim);
        String record = record(name);
        assertEquals(new ReleaseResult(true, false), get(store.release(claim)));
        assertEquals(0, redis.exists(name));
        assertEquals(record, record(name));

        Claim next = newClaim(name);
        granted(store, next);
        long published = calls("publish");
        assertEquals(new ReleaseResult(false, false), get(store.release(claim)));
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
                        never)))
                .keySet();
        assertEquals(Set.of(held.id(), longer.id()), still);
        assertWithin(19_000, 20_000, redis.pttl(held.name()));
        assertEquals("2", redis.hget(held.name(), held.id()));
        assertWithin(28_000, 30_000, redis.pttl(longer.name()));
        assertEquals(Map.of(thief.id(), "1"), redis.hgetall(lost.name()));
        assertEquals(0, redis.exists(never.name()));
        assertEquals("data", redis.get(wrong.name()));
    }

    @Test
    @DisplayName("the record is kept alive by what is renewed over a day, though not by each renewal")
    void renewRecord() {
        Claim claim = newClaim(newName());
        granted(store, claim);
        String key = "holdfast:lock:{" + claim.name() + "}";
        AtomicLong nanos = new AtomicLong();
        try (Servers servers = servers()) {
            Renewal renewal = new Renewal(servers, new Epoch.Memory(), Duration.ofDays(1), nanos::get);
            int written = 0;
            for (long hour = 0; hour < 24; hour++) {
                for (long second : new long[] {0, 3_540, 3_590}) {
                    nanos.set(TimeUnit.SECONDS.toNanos(hour * 3_600 + second));
                    redis.pexpire(key, 100_000);
                    assertEquals(Map.of(claim.id(), ClaimStatus.HELD), get(renewal.renew(List.of(claim))));
                    boolean isWritten = redis.pttl(key) > 100_000;
                    assertEquals((hour + 1) % 6 == 0 && second > 0, isWritten, hour + " h " + second + " s");
                    written += isWritten ? 1 : 0;
                    assertWithin(0, DAY + 30_000, redis.pttl(key));
                }
            }
            assertEquals(8, written);
        }
    }

    @Test
    @DisplayName("the record of a lease that lasts for hours is kept alive by each renewal")
    void renewRecordOfLongLease() {
        Duration lease = Duration.ofHours(8);
        Claim claim = newClaim(newName()).withLease(lease);
        granted(store, claim);
        String key = "holdfast:lock:{" + claim.name() + "}";
        redis.pexpire(key, 1_000);
        get(store.renew(List.of(claim)));
        assertWithin(DAY + lease.toMillis() - 1_000, DAY + lease.toMillis(), redis.pttl(key));
    }

    @Test
    @DisplayName("a renewal does the same on a server that is older than Redis 7, with more commands")
    void renewOnOlderServer() {
        String script = Script.RENEW.text();
        String older = script.replace("'GT'", "'UNKNOWN'");
        assertNotEquals(script, older);
        for (String text : List.of(script, older)) {
            Claim shorter = newClaim(newName()).withLease(Duration.ofSeconds(5));
            Claim longer = newClaim(newName()).withLease(Duration.ofSeconds(90));
            Claim endless = newClaim(newName());
            Claim gone = newClaim(newName());
            for (Claim claim : List.of(shorter, longer, endless)) {
                granted(store, claim);
            }
            redis.persist(endless.name());
            List<Claim> all = List.of(shorter, longer, gone, endless);
            String[] keys = all.stream().map(Claim::name).toArray(String[]::new);
            String[] args = Stream.concat(
                            Stream.of(Long.toString(DAY), "30000", "2"),
                            all.stream().map(Claim::id))
                    .toArray(String[]::new);
            List<Object> look = redis.eval(text, ScriptOutputType.MULTI, keys, args);
            assertEquals(List.of(3L), look);
            assertWithin(29_000, 30_000, redis.pttl(shorter.name()));
            assertWithin(88_000, 90_000, redis.pttl(longer.name()));
            assertWithin(29_000, 30_000, redis.pttl(endless.name()));
            assertEquals(0, redis.exists(gone.name()));
            assertEquals("2", redis.hget(shorter.name(), shorter.id()));
        }
    }

    private Servers servers() {
        Deployment deployment = RedisAddress.parse(server.uri(), CONFIG);
        LettuceClient client = LettuceClient.own(deployment);
        Server one = new Server(
                client,
                new Errors(deployment.describe()),
                Locator.fixed(deployment.serverAt(deployment.nodes().get(0))),
                deployment,
                new Epoch.Memory());
        return new OneServer(client, one, true);
    }

    @Test
    @DisplayName("a thousand claims are renewed in a handful of scripts")
    void renewMany() {
        List<Claim> many =
                IntStream.range(0, 1_000).mapToObj(i -> newClaim(newName())).toList();
        many.forEach(store::claim);
        granted(store, newClaim(newName()));
        get(store.release(many.get(500)));
        get(store.renew(many.subList(0, 1)));
        long before = calls("evalsha");
        Set<String> held = get(store.renew(many)).keySet();
        assertEquals(5, calls("evalsha") - before, "256 in each, and one to look for what is not held in the queue");
        assertEquals(999, held.size());
        assertFalse(held.contains(many.get(500).id()));
        assertEquals(Set.of(), get(store.renew(List.of())).keySet());
    }

    @Test
    @DisplayName("force takes a lock from Holdfast and from Redisson, not from anything else; tokens go on rising")
    void force() {
        String name = newName();
        long token = granted(store, newClaim(name));
        assertTrue(get(store.forceRelease(Resource.lock(name), OptionalLong.empty())));
        assertFalse(get(store.forceRelease(Resource.lock(name), OptionalLong.empty())));
        long next = granted(store, newClaim(name));
        assertTrue(next > token + 9);

        String theirs = newName();
        redis.hset(theirs, "5f6f1d3c-6a43-4a52-9d5e-1f2a3b4c5d6e:93", "1");
        assertTrue(
                get(store.forceRelease(Resource.lock(theirs), OptionalLong.empty())),
                "without an expiry, too: this is how to get rid of it");
        redis.hset(theirs, Map.of("5f6f1d3c-6a43-4a52-9d5e-1f2a3b4c5d6e:93", "1", "colour", "red"));
        redis.pexpire(theirs, 60_000);
        failure(StoreRefusedException.class, store.forceRelease(Resource.lock(theirs), OptionalLong.empty()));
        assertEquals(2, redis.hlen(theirs));
    }
}
