package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WatchTest extends StoreTest {

    @Test
    @DisplayName("a watch is called when it is in place and after each release; not after it is closed")
    void calls() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        Subscription watch = store.watch(Resource.lock(name), calls::incrementAndGet);
        await("in place", () -> calls.get() == 1);
        for (int i = 2; i < 5; i++) {
            Claim claim = newClaim(name);
            granted(store, claim);
            get(store.release(claim));
            int expected = i;
            await("told", () -> calls.get() == expected);
        }
        granted(store, newClaim(name));
        get(store.forceRelease(Resource.lock(name), OptionalLong.empty()));
        await("told of force", () -> calls.get() == 5);
        watch.close();
        watch.close();
        await("unsubscribed", () -> subscribers(name) == 0);
        redis.publish("redisson_lock__channel:{" + name + "}", "0");
        assertEquals(5, calls.get());
    }

    @Test
    @DisplayName("many watches of a name are one subscription, and each of them is called when it is in place")
    void shared() {
        String name = newName();
        List<AtomicInteger> calls = new ArrayList<>();
        List<Subscription> watches = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            AtomicInteger count = new AtomicInteger();
            calls.add(count);
            watches.add(store.watch(Resource.lock(name), count::incrementAndGet));
        }
        await("all in place", () -> calls.stream().allMatch(it -> it.get() >= 1));
        assertEquals(1, subscribers(name));
        AtomicInteger late = new AtomicInteger();
        watches.add(store.watch(Resource.lock(name), late::incrementAndGet));
        await("late one in place", () -> late.get() == 1);
        watches.subList(0, 10).forEach(Subscription::close);
        assertEquals(1, subscribers(name));
        redis.publish("redisson_lock__channel:{" + name + "}", "0");
        await("last one told", () -> late.get() == 2);
        watches.get(10).close();
        await("unsubscribed", () -> subscribers(name) == 0);
    }

    @Test
    @DisplayName("watches that come and go quickly from many threads end as they should")
    void churn() throws InterruptedException {
        String name = newName();
        CountDownLatch done = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    store.watch(Resource.lock(name), () -> {}).close();
                }
                done.countDown();
            });
            thread.start();
        }
        assertTrue(done.await(20, TimeUnit.SECONDS));
        AtomicInteger calls = new AtomicInteger();
        Subscription watch = store.watch(Resource.lock(name), calls::incrementAndGet);
        await("in place", () -> calls.get() > 0 && subscribers(name) == 1);
        int before = calls.get();
        redis.publish("redisson_lock__channel:{" + name + "}", "0");
        await("told", () -> calls.get() > before);
        watch.close();
        await("nobody subscribed", () -> subscribers(name) == 0);
    }

    @Test
    @DisplayName("a watcher that throws does not keep the others from being told")
    void throwing() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        Subscription bad = store.watch(Resource.lock(name), () -> {
            throw new AssertionError("as expected by this test");
        });
        Subscription good = store.watch(Resource.lock(name), calls::incrementAndGet);
        await("in place", () -> calls.get() >= 1);
        int before = calls.get();
        redis.publish("redisson_lock__channel:{" + name + "}", "0");
        await("told", () -> calls.get() > before);
        bad.close();
        good.close();
    }

    @Test
    @DisplayName("a release is contended if somebody else listens; one's own watch does not count")
    void contended() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        try (Subscription own = store.watch(Resource.lock(name), calls::incrementAndGet)) {
            await("in place", () -> calls.get() == 1);
            Claim claim = newClaim(name);
            granted(store, claim);
            assertFalse(get(store.release(claim)).contended());
            try (RedisStore other = RedisStore.open(server.uri(), CONFIG);
                    Subscription others = other.watch(Resource.lock(name), calls::incrementAndGet)) {
                await("both subscribed", () -> subscribers(name) == 2);
                granted(store, claim);
                assertTrue(get(store.release(claim)).contended());
            }
        }
    }

    private long subscribers(String name) {
        String channel = "redisson_lock__channel:{" + name + "}";
        return redis.pubsubNumsub(channel).get(channel);
    }
}
