package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Who is asked where things are")
@Timeout(60)
class InformantTest {

    @Test
    @DisplayName("and does not answer loses the connection, and is asked over another one when it is back")
    void silent() throws Exception {
        try (RedisServerProcess server = RedisServerProcess.start()) {
            Deployment deployment = RedisAddress.parse(server.uri(), StoreTest.CONFIG);
            LettuceClient client = LettuceClient.own(deployment);
            Informant informant = new Informant(client, server.address(), deployment.serverAt(server.address()));
            try {
                long first = connection(informant).get(10, TimeUnit.SECONDS);
                assertEquals(first, connection(informant).get(10, TimeUnit.SECONDS));
                server.pause();
                CompletableFuture<Long> unanswered = connection(informant);
                long start = System.nanoTime();
                ExecutionException e =
                        assertThrows(ExecutionException.class, () -> unanswered.get(20, TimeUnit.SECONDS));
                assertTrue(e.getCause() instanceof RedisConnectionException, e.toString());
                assertTrue(System.nanoTime() - start > Duration.ofSeconds(1).toNanos());
                server.resume();
                StoreTest.await(
                        "answers",
                        () -> connection(informant).exceptionally(notYet -> -1L).join() >= 0);
                assertNotEquals(first, connection(informant).get(10, TimeUnit.SECONDS));
            } finally {
                client.close(informant.close());
            }
        }
    }

    private static CompletableFuture<Long> connection(Informant informant) {
        return informant.ask(connection -> connection.async().clientId());
    }
}
