package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Users that wait for the same thing")
class WaitingTest {

    private final Waiting<String> waiting = new Waiting<>();
    private final Deque<CompletableFuture<String>> attempts = new ArrayDeque<>();
    private final List<String> served = new ArrayList<>();

    private void add(String user, Runnable then) {
        waiting.add(
                (thing, failure) -> {
                    served.add(user + " " + (failure == null ? thing : failure.getMessage()));
                    then.run();
                },
                () -> {
                    attempts.add(new CompletableFuture<>());
                    return attempts.getLast();
                });
    }

    private void add(String user) {
        add(user, () -> {});
    }

    @Test
    @DisplayName("get it in the order in which they came, also if one comes meanwhile")
    void inOrder() {
        add("a", () -> add("c"));
        add("b");
        attempts.remove().complete("it");
        assertEquals(List.of("a it", "b it", "c it"), served);
        assertTrue(attempts.isEmpty());
        assertTrue(waiting.isEmpty());
    }

    @Test
    @DisplayName("are not told of a failure that was there before they came: it is tried again")
    void notOfAnEarlierFailure() {
        add("a", () -> add("c"));
        add("b");
        attempts.remove().completeExceptionally(new IllegalStateException("failed"));
        assertEquals(List.of("a failed", "b failed"), served);
        attempts.remove().complete("it");
        assertEquals(List.of("a failed", "b failed", "c it"), served);
        assertTrue(waiting.isEmpty());
    }

    @Test
    @DisplayName("begin anew once all are served")
    void anew() {
        add("a");
        attempts.remove().complete("it");
        add("b");
        attempts.remove().completeExceptionally(new IllegalStateException("failed"));
        add("c");
        attempts.remove().complete("more");
        assertEquals(List.of("a it", "b failed", "c more"), served);
    }
}
