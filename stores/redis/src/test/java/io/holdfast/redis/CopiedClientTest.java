package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.engine.Client;
import io.holdfast.internal.lock.LockFactory;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two clients of one id that have counted as far, as two copies of one process have, each with connections of its own. */
@DisplayName("Two copies of one client on Redis")
class CopiedClientTest extends StoreTest {

    private final String id = UUID.randomUUID().toString();
    private Client one;
    private Client copy;

    @BeforeEach
    void start() {
        one = client();
        copy = client();
    }

    @AfterEach
    void close() {
        one.close();
        copy.close();
    }

    @Test
    @DisplayName("never hold a lock at once, and its token is not the same")
    void excludeEachOther() {
        String name = newName();
        for (int i = 0; i < 20; i++) {
            DistributedLock lock = lock(one, name, LockOptions.defaults());
            DistributedLock copied = lock(copy, name, LockOptions.defaults());
            assertTrue(lock.tryLock());
            long token = lock.lease().token();
            assertFalse(copied.tryLock());
            lock.unlock();
            copied.lock();
            assertTrue(copied.lease().token() > token);
            copied.unlock();
        }
    }

    @Test
    @DisplayName("wait for each other in the queue, though both hear every call")
    void waitForEachOther() throws Exception {
        for (LockOptions options :
                List.of(LockOptions.defaults(), LockOptions.defaults().fair())) {
            String name = newName();
            DistributedLock lock = lock(one, name, options);
            Lease held = lock.acquire();
            CompletableFuture<Lease> again = lock.acquireAsync();
            CompletableFuture<Lease> copied = lock(copy, name, options).acquireAsync();
            await("the copy waits", () -> !one.inspect(name).waiters().isEmpty());
            held.close();
            Lease first = (Lease) CompletableFuture.anyOf(again, copied).get(30, TimeUnit.SECONDS);
            first.close();
            assertNotEquals(
                    again.get(30, TimeUnit.SECONDS).token(),
                    copied.get(30, TimeUnit.SECONDS).token());
            (first == again.join() ? copied : again).join().close();
        }
    }

    @Test
    @DisplayName("have ids of the form that Redisson's have, which an operator may end")
    void lookLikeRedisson() {
        String name = newName();
        assertTrue(lock(one, name, LockOptions.defaults()).tryLock());
        List<String> fields = redis.hkeys(name);
        assertEquals(1, fields.size());
        assertTrue(fields.get(0).matches(id + ":\\d+"), fields.get(0));
        redis.del(Keys.of(ResourceType.LOCK, name).record());
        assertTrue(copy.forceUnlock(name, OptionalLong.empty()));
    }

    private static DistributedLock lock(Client client, String name, LockOptions options) {
        return new LockFactory(client.engine()).lock(name, options);
    }

    private Client client() {
        return Client.start(
                id,
                "copied",
                RedisStore.open(server.uri(), CONFIG),
                LEASE,
                Duration.ofSeconds(10),
                null,
                List.of(),
                System::nanoTime,
                null);
    }
}
