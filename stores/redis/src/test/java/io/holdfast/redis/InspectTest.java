package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InspectTest extends StoreTest {

    private static final String REDISSON = "5f6f1d3c-6a43-4a52-9d5e-1f2a3b4c5d6e:93";

    @Test
    @DisplayName("a held lock shows who holds it, since when, with which token and for how long")
    void held() {
        Claim claim = newClaim(newName()).withHolds(2);
        long token = granted(store, claim);
        LockState state = get(store.inspect(Resource.lock(claim.name())));
        assertEquals(claim.name(), state.name());
        assertEquals(List.of(), state.waiters());
        Claimant holder = state.holders().get(0);
        assertEquals(claim.id(), holder.claimId());
        assertEquals("client-7", holder.client());
        assertEquals("host.example", holder.host());
        assertEquals(4711L, holder.process());
        assertEquals("worker-1", holder.thread());
        assertEquals(token, holder.token());
        assertEquals(2, holder.holds());
        assertNotNull(holder.since());
        assertTrue(Duration.between(holder.since(), Instant.now()).abs().toSeconds() < 5);
        assertTrue(holder.timeLeft().toMillis() > 28_000 && holder.timeLeft().toMillis() <= 30_000);
    }

    @Test
    @DisplayName("a free lock shows nobody, also when its record is still there")
    void free() {
        Claim claim = newClaim(newName());
        assertFalse(get(store.inspect(Resource.lock(claim.name()))).isLocked());
        granted(store, claim);
        get(store.release(claim));
        assertFalse(get(store.inspect(Resource.lock(claim.name()))).isLocked());
    }

    @Test
    @DisplayName("a lock of Redisson's shows what is known of it, and not the owner before it")
    void redisson() {
        Claim before = newClaim(newName());
        granted(store, before);
        get(store.release(before));
        redis.hset(before.name(), REDISSON, "3");
        redis.pexpire(before.name(), 60_000);
        Claimant holder =
                get(store.inspect(Resource.lock(before.name()))).holders().get(0);
        assertEquals(REDISSON, holder.claimId());
        assertEquals(3, holder.holds());
        assertNull(holder.token());
        assertNull(holder.client());
        assertNull(holder.since());
        assertTrue(holder.timeLeft().toSeconds() > 50);

        String readWrite = newName();
        redis.hset(readWrite, Map.of("mode", "write", REDISSON + ":write", "1"));
        redis.pexpire(readWrite, 60_000);
        assertEquals(
                REDISSON + ":write",
                get(store.inspect(Resource.lock(readWrite))).holders().get(0).claimId());
    }

    @Test
    @DisplayName("an owner with odd names is shown, and can't be mistaken for another")
    void oddOwner() {
        Owner odd = new Owner("c", "h\n0\nx", -1, "pool {a}\n😀\r 7");
        Claim claim = new Claim(newName(), "short-id:1", Mode.EXCLUSIVE, LEASE, 1, 1, odd);
        granted(store, claim);
        Claimant holder =
                get(store.inspect(Resource.lock(claim.name()))).holders().get(0);
        assertEquals("h?0?x", holder.host());
        assertEquals("pool {a}?😀? 7", holder.thread());
        assertEquals(-1L, holder.process());
        assertEquals("short-id:1", holder.claimId());
        assertTrue(
                get(store.forceRelease(Resource.lock(claim.name()), OptionalLong.empty())),
                "the record says that it is a lock");
    }

    @Test
    @DisplayName(
            "a listing shows the locks with the prefix, whatever characters it has, and nothing that is not a lock")
    void list() {
        for (String prefix : List.of("list:", "l*?[a-z]\\:", "l{x}:", "holdfast:lock:{", "🔒")) {
            Set<String> names =
                    IntStream.range(0, 40).mapToObj(i -> prefix + i).collect(Collectors.toCollection(TreeSet::new));
            names.forEach(name -> granted(store, newClaim(name)));
            redis.hset(prefix + "map", "data", "1");
            redis.hset(prefix + "session", "data", "1");
            redis.pexpire(prefix + "session", 60_000);
            redis.set(prefix + "string", "data");
            granted(store, newClaim("another:" + prefix));
            List<LockState> found = get(store.list(ResourceType.LOCK, prefix, 1_000));
            assertEquals(names, found.stream().map(LockState::name).collect(Collectors.toCollection(TreeSet::new)));
            assertEquals(names.size(), found.size());
            assertTrue(found.stream().allMatch(LockState::isLocked));
            assertEquals(7, get(store.list(ResourceType.LOCK, prefix, 7)).size());
        }
        assertEquals(List.of(), get(store.list(ResourceType.LOCK, "no such:", 10)));
        assertTrue(get(store.list(ResourceType.LOCK, "", 10_000)).size() >= 200);
        assertTrue(get(store.list(ResourceType.LOCK, "holdf", 10_000)).size() >= 40);
    }

    @Test
    @DisplayName("a listing goes through a large key space page by page")
    void largeKeySpace() {
        for (int i = 0; i < 20; i++) {
            Map<String, String> many = IntStream.range(i * 1_000, i * 1_000 + 1_000)
                    .boxed()
                    .collect(Collectors.toMap(n -> "bulk:" + n, n -> "x"));
            redis.mset(many);
        }
        granted(store, newClaim("bulk:lock"));
        assertEquals(1, get(store.list(ResourceType.LOCK, "bulk:", 10)).size());
    }
}
