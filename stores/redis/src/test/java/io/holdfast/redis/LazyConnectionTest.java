package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lettuce.core.api.AsyncCloseable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A connection that is made when it is needed")
class LazyConnectionTest {

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final CompletableFuture<Made> attempt = new CompletableFuture<>();
    private final Made made = new Made();

    /** Counts how often it is closed. */
    private static final class Made implements AsyncCloseable {
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public CompletableFuture<Void> closeAsync() {
            closed.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        }
    }

    @AfterEach
    void shutDown() {
        scheduler.shutdownNow();
    }

    private LazyConnection<Made> connection(boolean open, Duration timeout) {
        return new LazyConnection<>(() -> attempt, it -> open, scheduler, timeout);
    }

    @ParameterizedTest(name = "open: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("is closed if it comes after its time, also if a part of it is broken already")
    void late(boolean open) {
        CompletableFuture<Made> asked = connection(open, Duration.ofMillis(20)).get();
        assertThrows(ExecutionException.class, () -> asked.get(10, TimeUnit.SECONDS));
        attempt.complete(made);
        assertEquals(1, made.closed.get());
    }

    @Test
    @DisplayName("is closed if it comes after nobody wants it any more")
    void closed() {
        LazyConnection<Made> lazy = connection(true, Duration.ofSeconds(10));
        lazy.get();
        lazy.close();
        attempt.complete(made);
        assertEquals(1, made.closed.get());
    }
}
