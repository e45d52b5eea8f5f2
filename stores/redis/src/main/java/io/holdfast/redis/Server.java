package io.holdfast.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Redis server: sends it commands over one connection, listens to it over another, and says in Holdfast's words what
 * went wrong. It knows nothing of locks.
 */
final class Server {

    /** A connection on which nothing comes back for so many time-outs is taken for dead. */
    private static final int PATIENCE = 3;

    private static final Duration MIN_PATIENCE = Duration.ofSeconds(5);

    private static final long CLOSE_MILLIS = 1_000;

    private static final Logger log = LoggerFactory.getLogger(Server.class);

    private final String description;
    private final Client client;
    private final Errors errors;
    private final Epoch epoch;
    private final LazyConnection<StatefulRedisConnection<String, String>> commands;
    private final LazyConnection<StatefulRedisPubSubConnection<String, String>> messages;
    private final long patienceNanos;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile long quietSince;
    private volatile boolean closed;

    Server(String description, Client client, Duration timeout) {
        this.description = description;
        this.client = client;
        this.errors = new Errors(description);
        this.epoch = new Epoch(description);
        Duration patience = timeout.compareTo(Duration.ofHours(1)) > 0 ? timeout : timeout.multipliedBy(PATIENCE);
        this.commands = new LazyConnection<>(
                () -> client.connect().thenApply(Server::prepared).thenCompose(epoch::check),
                client.scheduler(),
                patience);
        this.messages = new LazyConnection<>(client::connectPubSub, client.scheduler(), patience);
        this.patienceNanos = (patience.compareTo(MIN_PATIENCE) < 0 ? MIN_PATIENCE : patience).toNanos();
    }

    String description() {
        return description;
    }

    Errors errors() {
        return errors;
    }

    /** Whether the server still has the data that this client knew. */
    Epoch epoch() {
        return epoch;
    }

    /** Begins to connect, so that the first command need not; if that fails, the command will try again and tell. */
    void connect() {
        commands.get();
    }

    /**
     * Runs a script: one EVALSHA, and one EVAL if the server has forgotten it.
     *
     * @param what what is asked for, to begin error messages with
     * @param read makes the result of the answer, or throws
     */
    <R> CompletableFuture<R> run(String what, Script script, String[] keys, String[] args, Function<Answer, R> read) {
        return runUnless(() -> null, what, script, keys, args, read);
    }

    /**
     * Runs a script, unless there is an answer without it.
     *
     * @param instead that answer, asked for once there is a connection and what it had to tell is known
     */
    <R> CompletableFuture<R> runUnless(
            Supplier<? extends @Nullable R> instead,
            String what,
            Script script,
            String[] keys,
            String[] args,
            Function<Answer, R> read) {
        return send(
                instead,
                what,
                redis -> redis.<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, args)
                        .exceptionallyCompose(e -> isForgotten(e)
                                ? redis.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, args)
                                : CompletableFuture.failedFuture(e)),
                values -> read.apply(new Answer(values)));
    }

    /** Sends a command as soon as there is a connection, and translates its failure. */
    <T, R> CompletableFuture<R> send(
            String what,
            Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command,
            Function<T, R> read) {
        return send(() -> null, what, command, read);
    }

    private <T, R> CompletableFuture<R> send(
            Supplier<? extends @Nullable R> instead,
            String what,
            Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command,
            Function<T, R> read) {
        CompletableFuture<R> result = new CompletableFuture<>();
        commands.get()
                .thenCompose(connection -> {
                    R known = instead.get();
                    if (known != null) {
                        result.complete(known);
                        return new CompletableFuture<T>(); // nobody waits for it
                    }
                    noteSent(connection);
                    return command.apply(connection.async()).whenComplete((value, error) -> noteAnswered());
                })
                .whenComplete((value, error) -> {
                    try {
                        if (error == null) {
                            result.complete(read.apply(value));
                        } else {
                            result.completeExceptionally(closed ? errors.closed(what) : errors.translate(what, error));
                        }
                    } catch (RuntimeException e) {
                        result.completeExceptionally(errors.translate(what, e));
                    }
                });
        return result;
    }

    /** The connection that messages come over; it fails as Lettuce says, and is made again when asked for again. */
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> messages() {
        return messages.get();
    }

    ScheduledExecutorService scheduler() {
        return client.scheduler();
    }

    void close() {
        closed = true;
        try {
            CompletableFuture.allOf(commands.close(), messages.close()).get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("{}: a connection was not closed in order", description, e);
        }
        client.close();
    }

    /**
     * With the scripts on their way, ahead of whatever is sent next: else a burst after a restart would be told of each
     * that the server doesn't know them, and send each text. Whether it worked shows soon enough.
     */
    private static StatefulRedisConnection<String, String> prepared(
            StatefulRedisConnection<String, String> connection) {
        Script.FREQUENT.forEach(script -> connection.async().scriptLoad(script.text()));
        return connection;
    }

    // A peer that vanished without a word keeps TCP trying for a quarter of an hour; keep-alive doesn't help while
    // something is unacknowledged.
    private void noteSent(StatefulRedisConnection<String, String> connection) {
        long now = System.nanoTime();
        if (unanswered.get() == 0) {
            quietSince = now;
        }
        if (unanswered.getAndIncrement() > 0 && now - quietSince > patienceNanos) {
            quietSince = now;
            commands.drop(connection);
        }
    }

    private void noteAnswered() {
        unanswered.decrementAndGet();
        quietSince = System.nanoTime();
    }

    private static boolean isForgotten(Throwable error) {
        return error instanceof RedisNoScriptException
                || (error instanceof CompletionException && error.getCause() instanceof RedisNoScriptException);
    }
}
