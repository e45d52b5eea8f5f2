package io.holdfast.redis;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.StoreConfig;
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
final class Client {

    private static final Logger log = LoggerFactory.getLogger(Client.class);

    private static final int MAX_UNANSWERED = 1 << 17;
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final RedisClient client;
    private final @Nullable RedisURI uri;
    private final @Nullable Own own;

    /** What a client of our own is made of; Lettuce leaves the threads that it is given to whoever gave them. */
    private record Own(ClientResources resources, EventLoopGroupProvider ioThreads) {}

    private Client(RedisClient client, @Nullable RedisURI uri, @Nullable Own own) {
        this.client = client;
        this.uri = uri;
        this.own = own;
    }

    static Client own(RedisURI uri, StoreConfig config) {
        RedisURI named =
                RedisURI.builder(uri).withClientName(config.clientName()).build();
        // One thread: what a message causes to be sent goes out without waking another.
        EventLoopGroupProvider ioThreads = new DefaultEventLoopGroupProvider(1);
        ClientResources resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(ioThreads)
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
                .nettyCustomizer(new SharedFlushes())
                .build();
        RedisClient client = RedisClient.create(resources, named);
        client.setOptions(options(named.getTimeout()));
        return new Client(client, named, new Own(resources, ioThreads));
    }

    /** @param uri where to connect to, or {@code null} for the client's own */
    static Client given(RedisClient client, @Nullable RedisURI uri) {
        return new Client(client, uri, null);
    }

    /**
     * Nothing is sent twice or later than it was asked for: a command that can't be sent now, or is unanswered when its
     * connection breaks, fails, and the engine repeats what it still wants. Lettuce doesn't reconnect, since {@link
     * LazyConnection} does it when there is something to send. Commands don't time out here either, as the engine has
     * its own idea of when, and an answer that comes late is still of use to it.
     */
    private static ClientOptions options(Duration timeout) {
        return ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(Client::failInsteadOfReplaying)
                .requestQueueSize(MAX_UNANSWERED)
                .timeoutOptions(TimeoutOptions.create())
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
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

    // Lettuce drops what the filter takes without telling anybody, so the filter has to.
    private static boolean failInsteadOfReplaying(RedisCommand<?, ?, ?> command) {
        command.completeExceptionally(new RedisException("the connection broke"));
        return true;
    }

    CompletionStage<StatefulRedisConnection<String, String>> connect() {
        RedisURI to = uri;
        return to == null
                ? inBackground(() -> client.connect(StringCodec.UTF8))
                : client.connectAsync(StringCodec.UTF8, to);
    }

    CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub() {
        RedisURI to = uri;
        return to == null
                ? inBackground(() -> client.connectPubSub(StringCodec.UTF8))
                : client.connectPubSubAsync(StringCodec.UTF8, to);
    }

    /** For what is short and not urgent. */
    ScheduledExecutorService scheduler() {
        return client.getResources().eventExecutorGroup();
    }

    /** Shuts down a client of our own, and waits for its threads to end, if not for ever. */
    void close() {
        Own threads = own;
        if (threads == null) {
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
        // Not interruptible, so that an interrupted thread leaves no threads behind.
        threads.ioThreads.shutdown(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis * 2);
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
                    } catch (RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                },
                "holdfast-redis-connect");
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
