package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What several say is known")
class SurveyTest {

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private final CompletableFuture<String> second = new CompletableFuture<>();
    private final CompletableFuture<String> third = new CompletableFuture<>();
    private final CompletableFuture<List<String>> all =
            Survey.of(List.of(first, second, third), scheduler, answer -> answer.equals("master"));

    @AfterEach
    void shutDown() {
        scheduler.shutdownNow();
    }

    @Test
    @DisplayName("when all have answered or failed")
    void complete() throws Exception {
        first.complete("replica");
        second.completeExceptionally(new IllegalStateException("away"));
        assertFalse(all.isDone());
        third.complete("replica");
        assertEquals(List.of("replica", "replica"), all.get());
    }

    @Test
    @DisplayName("after a while without those who say nothing")
    void inTime() throws Exception {
        first.complete("master");
        assertEquals(List.of("master"), all.get(10, TimeUnit.SECONDS));
    }

    @Test
    @DisplayName("but not without the one that matters, however slow it is")
    void enough() throws Exception {
        first.complete("replica");
        second.complete("replica");
        scheduler.schedule(() -> third.complete("master"), 300, TimeUnit.MILLISECONDS);
        assertEquals(List.of("replica", "replica", "master"), all.get(10, TimeUnit.SECONDS));
    }

    @Test
    @DisplayName("to be nothing when all have failed")
    void failed() {
        List.of(first, second, third).forEach(it -> it.completeExceptionally(new IllegalStateException("away")));
        assertThrows(ExecutionException.class, all::get);
    }
}
