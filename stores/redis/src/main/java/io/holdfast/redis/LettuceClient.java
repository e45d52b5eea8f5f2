package io.holdfast.redis;

import io.holdfast.StoreRefusedException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Lettuce client that connections come from: one of our own, or one that was given to us. */
final class LettuceClient {

    private static final Logger log = LoggerFactory.getLogger(LettuceClient.class);

    /**
     * Of one connection. For a bound of 200,000 or less, Lettuce makes two arrays of that size for each connection, which are never
     * used here (they are for connections that are broken or flushed by hand); above it, two linked queues.
     */
    static final int MAX_UNANSWERED = 1 << 18;

    private static final Duration CLOSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(2);
    private static final Duration SHORTEST_HANDSHAKE = Duration.ofMillis(500);

    private final RedisClient client;
    private final boolean ownClient;
    private final @Nullable Threads ownThreads;
    private volatile @Nullable LinkageError misfit;

    /** Those of a client of our own; Lettuce leaves the I/O threads that it is given to whoever gave them. */
    private record Threads(ClientResources resources, EventLoopGroupProvider io) {}

    private LettuceClient(RedisClient client, boolean ownClient, @Nullable Threads ownThreads) {
        this.client = client;
        this.ownClient = ownClient;
        this.ownThreads = ownThreads;
    }

    static LettuceClient own(Deployment to) {
        try {
            return make(to);
        } catch (LinkageError e) {
            throw Libraries.refused("Redis can't be used", e);
        }
    }

    private static LettuceClient make(Deployment to) {
        // One thread: what a message causes to be sent goes out without waking another.
        EventLoopGroupProvider io = new DefaultEventLoopGroupProvider(1);
        ClientResources resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(io)
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
                .nettyCustomizer(new SharedFlushes())
                .build();
        RedisClient client = RedisClient.create(resources);
        client.setOptions(options(to));
        return new LettuceClient(client, true, new Threads(resources, io));
    }

    static LettuceClient given(RedisClient client) {
        return new LettuceClient(client, false, null);
    }

    /**
     * With the threads and the options of another, but for what must not be otherwise: a connection that Lettuce makes again
     * by itself may lead to another server than before.
     */
    static LettuceClient like(AbstractRedisClient given) {
        RedisClient client = RedisClient.create(given.getResources());
        client.setOptions(unrepeated(given.getOptions().mutate()).build());
        return new LettuceClient(client, true, null);
    }

    /**
     * Nothing is sent twice or later than it was asked for: a command that can't be sent now, or is unanswered when its
     * connection breaks, fails, and the engine repeats what it still wants. Lettuce doesn't reconnect, since {@link
     * LazyConnection} does it when there is something to send. Commands don't time out here either, as the engine has
     * its own idea of when, and an answer that comes late is still of use to it.
     */
    private static ClientOptions options(Deployment to) {
        Duration timeout = to.server().getTimeout();
        RedisTls tls = to.tls() == null ? RedisTls.defaults() : to.tls();
        return unrepeated(withoutMaintenance(ClientOptions.builder()))
                .sslOptions(tls.options(handshake(timeout)))
                .requestQueueSize(MAX_UNANSWERED)
                .timeoutOptions(TimeoutOptions.create())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .tcpNoDelay(true)
                        .keepAlive(KeepAliveOptions.builder()
                                .enable()
                                .idle(Duration.ofSeconds(20))
                                .interval(Duration.ofSeconds(5))
                                .count(3)
                                .build())
                        .build())
                .build();
    }

    /** Without the messages by which a server announces maintenance, which Lettuce follows by itself; Lettuce 6 has none. */
    private static ClientOptions.Builder withoutMaintenance(ClientOptions.Builder options) {
        try {
            return SinceLettuce7.withoutMaintenance(options);
        } catch (LinkageError lettuce6) {
            return options;
        }
    }

    /** What Lettuce 6 does not have, in a class of its own that does not link there. */
    private static final class SinceLettuce7 {

        static ClientOptions.Builder withoutMaintenance(ClientOptions.Builder options) {
            return options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }

    /**
     * A port that does not speak TLS says nothing. That is to be told before somebody gives up waiting for an answer, of
     * whatever kind: the engine does after a third of its time-out.
     */
    private static Duration handshake(Duration timeout) {
        Duration share = Collections.min(List.of(timeout.dividedBy(4), LONGEST_HANDSHAKE));
        return Collections.min(List.of(timeout, Collections.max(List.of(share, SHORTEST_HANDSHAKE))));
    }

    private static ClientOptions.Builder unrepeated(ClientOptions.Builder options) {
        return options.autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(LettuceClient::failInsteadOfReplaying);
    }

    // Lettuce drops what the filter takes without telling anybody, so the filter has to.
    private static boolean failInsteadOfReplaying(RedisCommand<?, ?, ?> command) {
        command.completeExceptionally(new RedisException("the connection broke"));
        return true;
    }

    /** @param to where, or {@code null} for the server that a given client was made for */
    CompletionStage<StatefulRedisConnection<String, String>> connect(@Nullable RedisURI to) {
        return to == null
                ? inBackground(() -> client.connect(StringCodec.UTF8))
                : linked(() -> client.connectAsync(StringCodec.UTF8, to));
    }

    CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub(@Nullable RedisURI to) {
        return to == null
                ? inBackground(() -> client.connectPubSub(StringCodec.UTF8))
                : linked(() -> client.connectPubSubAsync(StringCodec.UTF8, to));
    }

    private <T> CompletionStage<T> linked(Supplier<CompletionStage<T>> connecting) {
        try {
            return connecting.get();
        } catch (LinkageError e) {
            misfit = e;
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Fails if it has turned out that the libraries do not fit each other, which does not pass. */
    void checkLibraries() {
        LinkageError found = misfit;
        if (found != null) {
            throw Libraries.refused("Redis can't be used", found);
        }
    }

    /** For what is short and not urgent. */
    ScheduledExecutorService scheduler() {
        return client.getResources().eventExecutorGroup();
    }

    /** Waits for connections to be closed, shuts down a client of our own, and waits for its threads to end; not for ever. */
    void close(CompletableFuture<?> connections) {
        try {
            connections.get(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("A connection was not closed in order", e);
        }
        if (!ownClient) {
            return;
        }
        long millis = CLOSE.toMillis();
        try {
            client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS).get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("The Lettuce client was not shut down in order", e);
        }
        Threads threads = ownThreads;
        if (threads == null) {
            return;
        }
        // Not interruptible, so that an interrupted thread leaves no threads behind.
        threads.io.shutdown(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis * 2);
        threads.resources.shutdown(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis * 2);
    }

    // Lettuce connects to a client's own URI in one way only, and that one blocks.
    private static <T> CompletableFuture<T> inBackground(Supplier<T> connect) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(connect.get());
                    } catch (IllegalStateException e) {
                        result.completeExceptionally(new StoreRefusedException(
                                "The Lettuce client can't connect: " + e.getMessage()
                                        + ". If it was made without a URI, use RedisStore.using(client, uri).",
                                false,
                                e));
                    } catch (RuntimeException | LinkageError e) {
                        result.completeExceptionally(e);
                    }
                },
                "holdfast-redis-connect");
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
