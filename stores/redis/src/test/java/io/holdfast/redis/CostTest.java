package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server is asked to do, counted by the server. */
@Isolated("counts commands")
class CostTest extends StoreTest {

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
        assertEquals(Set.of(claim.id()), get(store.renew(List.of(claim))).keySet());
        redis.scriptFlush();
        assertTrue(get(store.release(claim)).held());
    }

    @Test
    @DisplayName("the same for readers, permits and places")
    void flushedLines() {
        String name = newName();
        Claim reader = newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        Claim writer = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        Claim permits = newPermits(name, 1, 1, QueuePolicy.QUEUES);
        redis.scriptFlush();
        long token = granted(store, reader);
        redis.scriptFlush();
        assertEquals(token, granted(store, reader));
        redis.scriptFlush();
        waiting(store, writer);
        redis.scriptFlush();
        token = granted(store, permits);
        redis.scriptFlush();
        assertEquals(token, granted(store, permits));
        redis.scriptFlush();
        assertEquals(2, get(store.addPermits(name, "id", 1, 1)));
        redis.scriptFlush();
        assertEquals(
                Map.of(reader.id(), ClaimStatus.HELD, writer.id(), ClaimStatus.WAITING, permits.id(), ClaimStatus.HELD),
                get(store.renew(List.of(reader, writer, permits))));
        redis.scriptFlush();
        assertTrue(get(store.release(reader)).held());
        redis.scriptFlush();
        assertTrue(get(store.inspect(Resource.semaphore(name))).isLocked());
        redis.scriptFlush();
        assertTrue(get(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())));
        granted(store, writer);
    }

    @Test
    @DisplayName("a plain lock costs the server no more commands than it did before there were others")
    void commandsInside() {
        Claim claim = newClaim(newName());
        granted(store, newClaim(newName()));
        redis.configResetstat();
        granted(store, claim);
        assertEquals(
                Map.of("evalsha", 1L, "time", 1L, "exists", 1L, "get", 1L, "set", 1L, "pexpire", 1L, "hset", 1L),
                counts());
        redis.configResetstat();
        waiting(store, newClaim(claim.name()));
        // GET: the record says whether its holder is to be asked for it.
        assertEquals(Map.of("evalsha", 1L, "exists", 1L, "pttl", 1L, "type", 1L, "hexists", 1L, "get", 1L), counts());
        redis.configResetstat();
        get(store.renew(List.of(claim)));
        assertEquals(Map.of("evalsha", 1L, "hget", 1L, "pexpire", 1L), counts());
        redis.configResetstat();
        get(store.release(claim));
        assertEquals(Map.of("evalsha", 1L, "exists", 1L, "hdel", 1L, "publish", 1L), counts());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 20})
    @DisplayName(
            "a contended hold is one claim that takes a ticket and one release that grants to the first, however many wait")
    void contendedHold(int waiting) {
        String name = newName();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Subscription calls = store.subscribe("cost", grants(heard))) {
            await("in place", () -> redis.pubsubNumsub(Keys.calls("cost")).get(Keys.calls("cost")) == 1);
            Deque<Claim> queue = new ArrayDeque<>();
            granted(store, waiter(name, 0));
            for (int i = 1; i <= waiting; i++) {
                queue.add(waiter(name, i));
                waiting(store, queue.getLast());
            }
            // The first time, the name's channel is tried for clients that know nothing of the queue.
            Claim holder = passes(waiter(name, 0), queue, heard);
            redis.configResetstat();
            passes(holder, queue, heard);
            Map<String, Long> release = new HashMap<>(Map.of(
                    "evalsha", 1L, "time", 1L, "exists", 1L, "zrange", 1L, "hget", 1L, "get", 2L, "set", 1L, "hset", 1L,
                    "pexpire", 1L, "publish", 1L));
            // The last ticket takes the keys of the queue with it.
            release.putAll(waiting == 2 ? Map.of("hdel", 1L, "del", 1L) : Map.of("hdel", 2L, "zrem", 1L));
            assertEquals(release, counts());
            redis.configResetstat();
            waiting(store, waiter(name, 1_000));
            // How long the holder's lease lasts matters to the first that waits only.
            String looks = waiting == 2 ? "pttl" : "zrange";
            assertEquals(
                    Map.of(
                            "evalsha", 1L, "exists", 1L, "time", 1L, "get", 1L, "hget", 1L, looks, 1L, "zadd", 1L,
                            "pexpire", 2L, "hset", 1L),
                    counts());
        }
    }

    /** Each of another client would need as many subscriptions; a plain claim is alone of its client, so it needs no more tokens. */
    private static Claim waiter(String name, int number) {
        return new Claim(
                        name,
                        "cost:" + number,
                        Mode.EXCLUSIVE,
                        LEASE,
                        1,
                        OWNER,
                        QueuePolicy.QUEUES,
                        1,
                        ClaimOptions.NONE)
                .grantedOnRelease();
    }

    /** Releases the holder's claim; the answer is the one that was granted with it. */
    private Claim passes(Claim holder, Deque<Claim> queue, BlockingQueue<String> heard) {
        get(store.release(holder));
        Claim next = queue.remove();
        await("granted", () -> next.id().equals(heard.poll()));
        return next;
    }

    private static ClaimListener grants(BlockingQueue<String> heard) {
        return new ClaimListener() {
            @Override
            public void turnReached(String claimId) {}

            @Override
            public void revocationRequested(String claimId) {}

            @Override
            public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                heard.add(claimId);
            }

            @Override
            public void resync() {}
        };
    }

    @Test
    @DisplayName("an uncontended lock costs one EVALSHA, and its release another")
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
        assertEquals(2, calls("evalsha"));
        // What the scripts do inside is counted as well; nothing else is.
        assertEquals(
                Set.of("evalsha", "exists", "get", "time", "pexpire", "set", "hset", "hdel", "publish"), commands());
    }

    @Test
    @DisplayName("a store that is only there costs nothing, nor does a watch that is in place")
    void idle() {
        granted(store, newClaim(newName()));
        try (Subscription watch = store.watch(Resource.lock(newName()), () -> {})) {
            await("in place", () -> commands().contains("subscribe"));
            redis.configResetstat();
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            assertEquals(Set.of(), commands());
        }
    }

    /** Those that were run, apart from the test's own. */
    private Set<String> commands() {
        return counts().keySet();
    }

    private Map<String, Long> counts() {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .map(line -> line.substring("cmdstat_".length(), line.indexOf(':')))
                .filter(command -> !command.equals("info") && !command.equals("config|resetstat"))
                .collect(Collectors.toMap(command -> command, this::calls));
    }
}
