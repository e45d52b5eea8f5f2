package io.holdfast.redis;

import io.holdfast.NotReplicatedException;
import io.holdfast.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One master, wherever it is now: sends it commands over its {@link MasterLinks}, and says in Holdfast's words what went wrong. It
 * knows nothing of locks.
 */
final class Server {

    /** A connection on which nothing comes back for so many time-outs is taken for dead. */
    private static final int PATIENCE = 3;

    private static final Duration MIN_PATIENCE = Duration.ofSeconds(5);
    static final int NO_SLOT = -1;

    private static final Pattern REDIRECTED = Pattern.compile("MOVED|ASK|TRYAGAIN");

    private final LettuceClient client;
    private final Errors errors;
    private final Deployment deployment;
    private final Replicas replicas;
    private final Tenure tenure;
    private final Epoch epoch;
    private final MasterLinks links;
    private final Waiting<Link> rechecks = new Waiting<>();
    private final long patienceNanos;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile int slot = NO_SLOT;
    private volatile long quietSince;
    private volatile boolean closed;

    Server(LettuceClient client, Errors errors, Locator locator, Deployment deployment, Epoch.Memory memory) {
        this.client = client;
        this.errors = errors;
        this.deployment = deployment;
        this.replicas = new Replicas(deployment.barrier(), System::nanoTime);
        if (deployment.form() == Deployment.Form.REPLICATED
                && deployment.nodes().size() == 1) {
            replicas.learnt(new Roster(0, Set.of(), Set.of()));
        }
        this.tenure = new Tenure(errors.store(), client, deployment, replicas, memory, () -> key("tenure"));
        this.epoch = new Epoch(errors.store(), !deployment.barrier().isNone(), memory, tenure);
        Duration timeout = deployment.server().getTimeout();
        Duration patience = timeout.compareTo(Duration.ofHours(1)) > 0 ? timeout : timeout.multipliedBy(PATIENCE);
        this.patienceNanos = (patience.compareTo(MIN_PATIENCE) < 0 ? MIN_PATIENCE : patience).toNanos();
        this.links =
                new MasterLinks(errors.store(), client, locator, deployment, replicas, epoch, new OwnPlace(), patience);
        links.begin();
    }

    private final class OwnPlace implements MasterLinks.Place {

        @Override
        public int slot() {
            return slot;
        }

        @Override
        public String epochKey() {
            return Server.this.epochKey();
        }
    }

    String description() {
        return errors.store();
    }

    Errors errors() {
        return errors;
    }

    void connect() {
        links.connect();
    }

    /** Whether it was ever connected to. */
    boolean isInUse() {
        return links.wereMade();
    }

    /** Of a cluster: what is known of it, and a slot that it keeps, or {@link #NO_SLOT}. */
    void learnt(ClusterView.Shard shard, int slot) {
        this.slot = slot;
        replicas.learnt(shard.roster());
        links.noteVersion(Long.toString(shard.epoch()));
    }

    /** Whether replicas have to know what it grants. */
    boolean isReplicated() {
        return replicas.any();
    }

    /** A slot that it keeps, or {@link #NO_SLOT}. */
    int slot() {
        return slot;
    }

    /** The key of the epoch of its data; empty if it is of a cluster and keeps no slot. */
    String epochKey() {
        return key("epoch");
    }

    private String key(String what) {
        boolean keepsKeys = slot != NO_SLOT || deployment.form() != Deployment.Form.CLUSTER;
        return keepsKeys ? Keys.ofSlot(what, slot) : "";
    }

    /** Whether that is the epoch of its data, as far as is known, and locks are granted in it. */
    boolean grantsIn(String epochId) {
        Link link = links.now();
        return link != null && epoch.isChecked(link, slot) && epoch.grantsIn(epochId, epochKey());
    }

    /** Runs a script: one EVALSHA, and one EVAL if the server has forgotten it. */
    <R> CompletableFuture<R> run(Request<R> request) {
        return send(
                request.what,
                request,
                connection -> evaluated(connection, request),
                values -> request.read.apply(new Answer(values)));
    }

    /** Runs a script on a server that is just being given the slot. */
    <R> CompletableFuture<R> runAsking(Request<R> request) {
        return send(
                request.what,
                request,
                connection -> evaluatedAsking(connection, request),
                values -> request.read.apply(new Answer(values)));
    }

    /** Sends a command as soon as there is a connection, and translates its failure. */
    <T, R> CompletableFuture<R> send(
            String what,
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> command,
            Function<T, R> read) {
        return send(what, null, command, read);
    }

    private <T, R> CompletableFuture<R> send(
            String what,
            @Nullable Request<R> request,
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> command,
            Function<T, R> read) {
        CompletableFuture<R> result = new CompletableFuture<>();
        links.use((link, failure) -> {
            if (link == null) {
                failed(what, result, null, failure == null ? new IllegalStateException("no link") : failure);
                return;
            }
            if (rechecks.isEmpty() && epoch.isChecked(link, slot)) {
                send(what, request, command, read, link, result);
                return;
            }
            // In the order in which they came: a release must not be sent before its claim.
            rechecks.add(
                    (checked, error) -> {
                        if (error != null && request != null && request.grants) {
                            failed(what, result, link, elsewhere(what, error));
                        } else {
                            send(what, request, command, read, link, result);
                        }
                    },
                    () -> InTime.of(epoch.check(link, epochKey(), slot), client.scheduler(), () -> links.drop(link)));
        });
        return result;
    }

    private <T, R> void send(
            String what,
            @Nullable Request<R> request,
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> command,
            Function<T, R> read,
            Link link,
            CompletableFuture<R> result) {
        R known = request == null ? null : request.instead.apply(epoch);
        if (known != null) {
            result.complete(known);
            return;
        }
        noteSent(link);
        dispatched(command, link).whenComplete((value, error) -> {
            noteAnswered();
            if (error == null) {
                answered(what, request, link, result, value, read);
            } else if (request != null && isForgotten(error)) {
                sendInFull(request, link, result);
            } else {
                failed(what, result, link, error);
            }
        });
    }

    /** The slot of the epoch may be on its way to another server, which says nothing of that of the name. */
    private Throwable elsewhere(String what, Throwable error) {
        Throwable cause = Epoch.cause(error);
        String why = String.valueOf(cause.getMessage());
        return deployment.form() == Deployment.Form.CLUSTER
                        && REDIRECTED.matcher(why).lookingAt()
                ? new StoreUnavailableException(
                        what + ": it can't be seen whether " + description() + " has lost data: " + why)
                : error;
    }

    private <R> void sendInFull(Request<R> request, Link link, CompletableFuture<R> result) {
        noteSent(link);
        dispatched(connection -> evaluatedInFull(connection.async(), request), link)
                .whenComplete((values, error) -> {
                    noteAnswered();
                    if (error == null) {
                        answered(
                                request.what,
                                request,
                                link,
                                result,
                                values,
                                all -> request.read.apply(new Answer(all)));
                    } else {
                        failed(request.what, result, link, error);
                    }
                });
    }

    private static <T> CompletionStage<T> dispatched(
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> command, Link link) {
        try {
            return command.apply(link.commands());
        } catch (RuntimeException e) { // what Lettuce throws instead of failing the command
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T, R> void answered(
            String what,
            @Nullable Request<R> request,
            Link link,
            CompletableFuture<R> result,
            T value,
            Function<T, R> read) {
        R answer;
        try {
            answer = read.apply(value);
        } catch (RuntimeException e) {
            result.completeExceptionally(errors.translate(what, e));
            return;
        }
        Barrier barrier = link.barrier();
        if (barrier == null || request == null || !request.counts.test(answer)) {
            result.complete(answer);
            return;
        }
        if (barrier.isSilent(patienceNanos)) {
            links.drop(link); // which fails whoever waits there
        }
        boolean byAll = !tenure.mayLeaveOut(link, request.lease);
        if (byAll && replicas.isAnyDown()) {
            result.completeExceptionally(new NotReplicatedException(what + " is not safe from a failover: a replica is"
                    + " down, and it may not know that leases of " + request.lease.toSeconds() + " s are used here"));
            return;
        }
        barrier.passed(what, byAll).whenComplete((passed, error) -> {
            if (error == null) {
                result.complete(answer);
            } else {
                failed(what, result, link, error);
            }
        });
    }

    private void failed(String what, CompletableFuture<?> result, @Nullable Link link, Throwable error) {
        if (link != null && isDemoted(error)) {
            links.leave(link);
        }
        result.completeExceptionally(closed ? errors.closed(what) : errors.translate(what, error));
    }

    private static CompletionStage<List<Object>> evaluated(
            StatefulRedisConnection<String, String> connection, Request<?> request) {
        AsyncCommand<String, String, List<Object>> evalsha = new AsyncCommand<>(new Command<>(
                CommandType.EVALSHA,
                new NestedMultiOutput<>(StringCodec.UTF8),
                new ScriptCall(request.script, request.keys, request.args)));
        connection.dispatch(evalsha);
        return evalsha;
    }

    private static CompletionStage<List<Object>> evaluatedInFull(
            RedisAsyncCommands<String, String> redis, Request<?> request) {
        return redis.eval(request.script.text(), ScriptOutputType.MULTI, request.keys, request.args);
    }

    /** Both commands at once, as the first is for the next that follows on the connection. */
    private static CompletionStage<List<Object>> evaluatedAsking(
            StatefulRedisConnection<String, String> connection, Request<?> request) {
        StringCodec codec = StringCodec.UTF8;
        CommandArgs<String, String> args = new CommandArgs<>(codec)
                .add(request.script.text())
                .add(request.keys.length)
                .addKeys(request.keys)
                .addValues(request.args);
        AsyncCommand<String, String, List<Object>> eval =
                new AsyncCommand<>(new Command<>(CommandType.EVAL, new NestedMultiOutput<>(codec), args));
        connection.dispatch(
                List.of(new AsyncCommand<>(new Command<>(CommandType.ASKING, new StatusOutput<>(codec), null)), eval));
        return eval;
    }

    /** The connection that messages come over; it fails as Lettuce says, and is made again when asked for again. */
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> messages() {
        return links.messages();
    }

    ScheduledExecutorService scheduler() {
        return client.scheduler();
    }

    CompletableFuture<?> closeAsync() {
        closed = true;
        tenure.close();
        return links.closeAsync();
    }

    private static boolean isDemoted(Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        // An older server wraps a script's error into one of its own.
        return cause instanceof RedisCommandExecutionException
                && String.valueOf(cause.getMessage()).contains("READONLY");
    }

    // ---- how it is --------------------------------------------------------------------------------------------

    // A peer that vanished without a word keeps TCP trying for a quarter of an hour; keep-alive doesn't help while
    // something is unacknowledged.
    private void noteSent(Link link) {
        long now = System.nanoTime();
        if (unanswered.get() == 0) {
            quietSince = now;
        }
        if (unanswered.getAndIncrement() > 0 && now - quietSince > patienceNanos) {
            quietSince = now;
            links.drop(link);
        }
    }

    private void noteAnswered() {
        unanswered.decrementAndGet();
        quietSince = System.nanoTime();
    }

    static boolean isForgotten(Throwable error) {
        return error instanceof RedisNoScriptException
                || (error instanceof CompletionException && error.getCause() instanceof RedisNoScriptException);
    }
}
