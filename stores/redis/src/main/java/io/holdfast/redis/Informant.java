package io.holdfast.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/**
 * A server or a sentinel that is asked where things are, over a connection of its own. One on which an answer does not come
 * in time is given up: a peer that vanished without a word keeps TCP trying for a quarter of an hour, and one that stands
 * still must not gather questions.
 */
final class Informant {

    private final Address address;
    private final LazyConnection<StatefulRedisConnection<String, String>> connection;
    private final ScheduledExecutorService scheduler;

    Informant(LettuceClient client, Address address, RedisURI uri) {
        this.address = address;
        this.scheduler = client.scheduler();
        this.connection = new LazyConnection<>(
                () -> client.connect(uri), StatefulConnection::isOpen, scheduler, uri.getTimeout());
    }

    Address address() {
        return address;
    }

    <T> CompletableFuture<T> ask(Function<StatefulRedisConnection<String, String>, CompletionStage<T>> question) {
        return connection
                .get()
                .thenCompose(made -> InTime.of(question.apply(made), scheduler, () -> connection.drop(made)));
    }

    CompletableFuture<?> close() {
        return connection.close();
    }
}
