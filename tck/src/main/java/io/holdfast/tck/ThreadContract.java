package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The threads of clients. */
@Isolated("looks at all threads of the JVM")
@SuppressWarnings("LockNotBeforeTry") // the tests are about what is left when locks are given back
public abstract class ThreadContract extends Contract {

    @Test
    @DisplayName("go with the client that was closed")
    void areGone() throws Exception {
        Set<Thread> before = threads();
        String name = name();
        for (int i = 0; i < 3; i++) {
            Holdfast client = client(SHORT);
            Holdfast other = client(SHORT);
            DistributedLock lock = client.lock(name);
            lock.lock();
            CompletableFuture<Lease> waiting = other.lock(name).acquireAsync();
            assertThat(other.lock(name).tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
            lock.unlock();
            await(waiting).onLost(lost -> {});
            client.close();
            other.close();
        }
        until(
                "the threads " + names(before) + " are gone",
                SOON,
                () -> names(before).isEmpty());
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** The threads that came since and are not the test's own. */
    private static Set<String> names(Set<Thread> before) {
        Set<Thread> now = threads();
        now.removeAll(before);
        return now.stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("tck-") && !name.startsWith("junit-"))
                // The JDK's, for all that use it
                .filter(name ->
                        !name.startsWith("ForkJoinPool.commonPool") && !name.equals("CompletableFutureDelayScheduler"))
                .collect(Collectors.toSet());
    }
}
