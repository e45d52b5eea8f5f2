package io.holdfast.redis;

import io.holdfast.NotReplicatedException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.BooleanOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until what a server has run is on its replicas too.
 *
 * <p>WAIT speaks of the writes of its own connection, and nothing else gets through there meanwhile, so it has one to
 * itself. A small write goes ahead of it. What a server sends its replicas is one stream: a replica that has acknowledged
 * that write has everything that was answered before it was sent, over whichever connection. So all that are answered while
 * one round is under way share the next one, and none of them holds up a renewal or a release.
 *
 * <p>The write gives a key that is there a new expiry, which a full server does as well: what is held there is to be
 * renewed. The key is only made where it is missing.
 */
final class Barrier {

    private static final StringCodec CODEC = StringCodec.UTF8;
    private static final long KEPT_MILLIS = Duration.ofHours(1).toMillis();

    private final StatefulRedisConnection<String, String> connection;
    private final Supplier<String> key;
    private final Replicas replicas;
    private final Duration timeout;
    private final Runnable withoutWait;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean underWay;
    private long sentAt;
    private @Nullable CompletableFuture<Void> next;

    /** Whether the next round leaves nobody out. */
    private boolean nextByAll;

    /**
     * @param key a key for a write, which the server keeps now
     * @param replicas how many of them must have acknowledged, and what those who have then have
     * @param withoutWait called when the server turns out to have no WAIT, and nothing is waited for
     */
    Barrier(
            StatefulRedisConnection<String, String> connection,
            Supplier<String> key,
            Replicas replicas,
            Duration timeout,
            Runnable withoutWait) {
        this.connection = connection;
        this.key = key;
        this.replicas = replicas;
        this.timeout = timeout;
        this.withoutWait = withoutWait;
    }

    /**
     * Completes once everything that the server has answered by now is on enough replicas; fails with {@link
     * NotReplicatedException} if it is not in time.
     *
     * @param what what is waited for, to begin error messages with
     * @param byAll whether no replica is left out, down or not
     */
    CompletableFuture<Void> passed(String what, boolean byAll) {
        CompletableFuture<Void> round;
        boolean first = false;
        lock.lock();
        try {
            if (underWay) {
                round = next == null ? new CompletableFuture<>() : next;
                next = round;
                nextByAll |= byAll;
            } else {
                underWay = true;
                sentAt = System.nanoTime();
                first = true;
                round = new CompletableFuture<>();
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            run(round, byAll);
        }
        return round.exceptionallyCompose(error -> CompletableFuture.failedFuture(named(what, error)));
    }

    private void run(CompletableFuture<Void> round, boolean byAll) {
        int required = byAll ? replicas.requiredOfAll() : replicas.required();
        if (required == 0) {
            ended(round, null);
            return;
        }
        long beganAt = System.nanoTime();
        String written = key.get();
        AsyncCommand<String, String, Boolean> prolonged = command(
                CommandType.PEXPIRE,
                new BooleanOutput<>(CODEC),
                args().addKey(written).add(KEPT_MILLIS));
        acknowledged(prolonged, required)
                .thenCompose(count -> prolonged.join()
                        ? CompletableFuture.completedFuture(count)
                        : acknowledged(created(written), required))
                .whenComplete((count, error) -> {
                    if (error != null) {
                        ended(round, lacksWait(error) ? null : error);
                    } else if (count < required) {
                        ended(
                                round,
                                new NotReplicatedException(count + " of " + required
                                        + " replicas have acknowledged it in " + timeout.toMillis() + " ms"));
                    } else {
                        replicas.acknowledged(required, beganAt);
                        ended(round, null);
                    }
                });
    }

    private static AsyncCommand<String, String, String> created(String key) {
        return command(
                CommandType.SET,
                new StatusOutput<>(CODEC),
                args().addKey(key).addValue("").add("PX").add(KEPT_MILLIS));
    }

    /** How many replicas have a write, if it writes anything. */
    private CompletableFuture<Long> acknowledged(AsyncCommand<String, String, ?> write, int required) {
        AsyncCommand<String, String, Long> wait = command(
                CommandType.WAIT,
                new IntegerOutput<>(CODEC),
                args().add(required).add(timeout.toMillis()));
        // In one packet, so that the server asks its replicas as it sends them the write.
        return sent(List.of(write, wait))
                .thenCompose(sent -> write.thenCombine(wait, (written, acknowledged) -> acknowledged));
    }

    private CompletableFuture<Void> sent(List<RedisCommand<String, String, ?>> commands) {
        try {
            connection.dispatch(commands);
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) { // what Lettuce throws instead of failing the commands
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CommandArgs<String, String> args() {
        return new CommandArgs<>(CODEC);
    }

    private static <T> AsyncCommand<String, String, T> command(
            CommandType type, CommandOutput<String, String, T> output, CommandArgs<String, String> args) {
        return new AsyncCommand<>(new Command<>(type, output, args));
    }

    private void ended(CompletableFuture<Void> round, @Nullable Throwable failure) {
        CompletableFuture<Void> following;
        boolean byAll;
        lock.lock();
        try {
            following = next;
            byAll = nextByAll;
            next = null;
            nextByAll = false;
            underWay = following != null;
            sentAt = System.nanoTime();
        } finally {
            lock.unlock();
        }
        if (following != null) {
            run(following, byAll);
        }
        if (failure == null) {
            round.complete(null);
        } else {
            round.completeExceptionally(failure);
        }
    }

    private boolean lacksWait(Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        boolean lacks = cause instanceof RedisCommandExecutionException
                && String.valueOf(cause.getMessage()).contains("unknown command");
        if (lacks) {
            withoutWait.run();
        }
        return lacks;
    }

    private static Throwable named(String what, Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        String why = String.valueOf(cause.getMessage());
        // The slot of the small write is being moved, which says nothing of that of the name.
        boolean elsewhere = cause instanceof RedisCommandExecutionException
                && (why.startsWith("MOVED") || why.startsWith("ASK") || why.startsWith("TRYAGAIN"));
        return cause instanceof NotReplicatedException || elsewhere
                ? new NotReplicatedException(what + " is not safe from a failover: " + why
                        + ". A replica may be away or behind; see ReplicationBarrier")
                : cause;
    }

    /** Whether the server has said nothing for so long after it had to that the connection must be dead. */
    boolean isSilent(long patienceNanos) {
        lock.lock();
        try {
            // Twice, for a round that has to make its key.
            return underWay && System.nanoTime() - sentAt > 2 * timeout.toNanos() + patienceNanos;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it waits at that run of a server; yes, if the server does not tell. */
    CompletionStage<Boolean> isAt(String run) {
        return connection
                .async()
                .info("server")
                .handle((info, error) -> run.isEmpty()
                        || (error == null ? info.contains("run_id:" + run) : Errors.isUnknownHere(error)));
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    CompletableFuture<Void> closeAsync() {
        return connection.closeAsync();
    }
}
