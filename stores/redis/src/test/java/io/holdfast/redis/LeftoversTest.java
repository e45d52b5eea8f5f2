package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is left of a name after its release")
class LeftoversTest extends StoreTest {

    @Test
    @DisplayName(
            "is its last token alone, for as long as before, once many others were released; the next one is greater")
    void token() {
        Claim first = newClaim(newName());
        long token = granted(store, first);
        get(store.release(first));
        String held = newName();
        Claim holder = newClaim(held);
        granted(store, holder);
        String ofHolder = record(held);
        Claim reader = newShared(newName());
        long read = granted(store, reader);
        get(store.release(reader));
        Claim before = newClaim(held);
        get(store.release(holder));
        long again = granted(store, before);
        release(Leftovers.UNTRIMMED + Leftovers.AT_ONCE);

        await("trimmed", () -> record(first.name()).equals(Long.toString(token + 9)));
        await("trimmed", () -> record(reader.name()).equals(Long.toString(read)));
        assertWithin(DAY - 60_000, DAY + 30_000, redis.pttl("holdfast:lock:{" + first.name() + "}"));
        assertTrue(redis.memoryUsage("holdfast:lock:{" + first.name() + "}") <= 110);
        assertTrue(record(held).startsWith((again + 9) + " " + again), () -> ofHolder + " became " + record(held));

        long ahead = 1_000_000_000L * 1_000_000 * 4;
        for (Claim next : List.of(newClaim(first.name()), newClaim(first.name(), Mode.SHARED, QueuePolicy.QUEUES))) {
            redis.set("holdfast:lock:{" + first.name() + "}", Long.toString(ahead));
            assertEquals(ahead + 1, granted(store, next));
            get(store.release(next));
        }
    }

    @Test
    @DisplayName("is there for as long as the URI says, and not longer for its renewal; a semaphore is known for a day")
    void retention() {
        try (RedisStore brief = RedisStore.open(server.uri() + "?tokens-kept=1h", CONFIG)) {
            long hour = 3_600_000;
            Claim claim = newClaim(newName());
            granted(brief, claim);
            get(brief.renew(List.of(claim)));
            assertWithin(hour, hour + 31_000, redis.pttl("holdfast:lock:{" + claim.name() + "}"));
            Claim reader = newShared(newName());
            granted(brief, reader);
            get(brief.renew(List.of(reader)));
            assertWithin(hour, hour + 31_000, redis.pttl("holdfast:lock:{" + reader.name() + "}"));
            Claim permits = newPermits(newName(), 1, 1, QueuePolicy.BARGES);
            granted(brief, permits);
            get(brief.renew(List.of(permits)));
            assertWithin(DAY, DAY + 30_000, redis.pttl("holdfast:permits:{" + permits.name() + "}"));
        }
    }

    private void release(int number) {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            claims.add(newClaim(newName()));
        }
        claims.forEach(claim -> granted(store, claim));
        claims.forEach(claim -> get(store.release(claim)));
    }
}
