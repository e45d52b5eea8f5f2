package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayName("Of its threads,")
@Isolated("counts threads, of which stores of other tests have some as well")
class ThreadsTest extends StoreTest {

    @Test
    @DisplayName("a store leaves no thread behind")
    void threads() {
        List<Thread> before = threadsOfLettuce();
        try (RedisStore it = RedisStore.open(server.uri(), CONFIG)) {
            AtomicInteger calls = new AtomicInteger();
            it.watch(Resource.lock(newName()), calls::incrementAndGet);
            granted(it, newClaim(newName()));
            await("in place", () -> calls.get() == 1);
            assertTrue(threadsOfLettuce().size() > before.size());
        }
        await("no thread left", Duration.ofSeconds(5), () -> before.containsAll(threadsOfLettuce()));
    }

    private static List<Thread> threadsOfLettuce() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("(lettuce|holdfast|parallel|boundedElastic|globalEvent).*"))
                .toList();
    }
}
