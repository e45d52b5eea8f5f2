package io.holdfast.redis;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps locks, semaphores and latches on one Redis server (6.0 or later), the locks where Redisson keeps its own: an
 * {@code RLock} and a Holdfast lock of one name exclude and wake each other, and the {@code RLock} takes a read lock for
 * a lock as well.
 *
 * <p>A claim and a release cost one round trip each; those of a plain lock that did not have to wait, two while readers or a
 * queue are about. On a server without replicas a release grants to who waits, and tells it. What is kept of a name after its
 * release is one small string with the last token, for a day or as long as {@link RedisStoreBuilder#tokensKept} says. A semaphore is known for a day after its last use.
 *
 * <p>The server may be away when the store is opened and at any time after; the store connects again when there is
 * something to send. Commands are sent once: what a broken connection left unanswered fails.
 */
public final class RedisStore implements QueueingStore, SemaphoreStore {

    private static final Logger log = LoggerFactory.getLogger(RedisStore.class);

    private static final Duration DAY = Duration.ofDays(1);
    private static final String SEMAPHORE_KEPT = Long.toString(DAY.toMillis());
    private static final String PLACE_KEPT = Long.toString(Claim.TICKET.toMillis());
    private static final String CHANGES_KEPT = "100000";

    private static final String[] NONE = {};

    private final Servers servers;
    private final Epoch.Memory memory;
    private final ReplicationBarrier barrier;
    private final Renewal renewal;
    private final RedisLatches latches;
    private final Leftovers leftovers;
    private final BackOff backOff;
    private final String recordKept;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean toldOfSilence = new AtomicBoolean();

    private RedisStore(Servers servers, Epoch.Memory memory, Deployment deployment, LettuceClient client) {
        this.servers = servers;
        this.memory = memory;
        this.barrier = deployment.barrier();
        this.renewal = new Renewal(servers, memory, deployment.tokensKept(), System::nanoTime);
        this.leftovers = new Leftovers(servers);
        this.recordKept = Long.toString(deployment.tokensKept().toMillis());
        this.latches = new RedisLatches(servers);
        this.backOff = new BackOff(client.scheduler());
    }

    /**
     * Opens a store on the Redis at
     *
     * <ul>
     *   <li>{@code redis://[[user]:password@]host[:port][/database]}, one server;
     *   <li>{@code redis-replica://…host[:port],host[:port]…[/database]}, a master and its replicas, in any order;
     *   <li>{@code redis-sentinel://…host[:port],host[:port]…[/database]?master=name}, the master of that name, found by
     *       these sentinels;
     *   <li>{@code redis-cluster://…host[:port],host[:port]…}, a cluster with these nodes among others.
     * </ul>
     *
     * With {@code rediss} instead of {@code redis} it is TLS, which is never downgraded and checks the server's certificate
     * and host name. Parameters: {@code timeout=2s} (for making a connection), {@code replicas=all|none|<number>} (see {@link
     * ReplicationBarrier}), {@code replicas-timeout=500ms}, {@code tokens-kept=1h} (see {@link
     * RedisStoreBuilder#tokensKept}), {@code truststore}, {@code truststore-password}, {@code
     * keystore}, {@code keystore-password} (see {@link RedisTls}), {@code sentinel-user}, {@code sentinel-password}.
     *
     * @param uri where it is; it need not be reachable yet. Special characters are escaped as {@code %XX}
     * @param config its time-out is for making a connection, where the URI names none
     * @throws IllegalArgumentException if the URI is wrong; the message does not contain it
     */
    public static RedisStore open(String uri, StoreConfig config) {
        return open(RedisAddress.parse(uri, config));
    }

    /** The same in words. */
    public static RedisStoreBuilder builder() {
        return new RedisStoreBuilder();
    }

    static RedisStore open(Deployment deployment) {
        LettuceClient client = LettuceClient.own(deployment);
        RedisStore store = open(deployment, client);
        store.servers.connect();
        try {
            client.checkLibraries();
        } catch (StoreRefusedException e) {
            store.close();
            throw e;
        }
        return store;
    }

    private static RedisStore open(Deployment deployment, LettuceClient client) {
        return switch (deployment.form()) {
            case SINGLE ->
                one(
                        deployment,
                        client,
                        Locator.fixed(deployment.serverAt(deployment.nodes().get(0))));
            case REPLICATED -> one(deployment, client, new ReplicaLocator(client, deployment));
            case SENTINEL -> one(deployment, client, new SentinelLocator(client, deployment));
            case CLUSTER -> {
                Epoch.Memory memory = new Epoch.Memory();
                Servers servers = new ClusterServers(client, new Errors(deployment.describe()), deployment, memory);
                yield new RedisStore(servers, memory, deployment, client);
            }
        };
    }

    private static RedisStore one(Deployment deployment, LettuceClient client, Locator locator) {
        Epoch.Memory memory = new Epoch.Memory();
        Server server = new Server(client, new Errors(deployment.describe()), locator, deployment, memory);
        boolean alone = deployment.form() == Deployment.Form.SINGLE
                && deployment.barrier().isNone();
        return new RedisStore(new OneServer(client, server, alone), memory, deployment, client);
    }

    /** As {@link #using(RedisClient, RedisURI)}, on the server that the client was made for, whichever that is. */
    public static RedisStore using(RedisClient client) {
        RedisURI unknown = new RedisURI();
        unknown.setTimeout(RedisURI.DEFAULT_TIMEOUT_DURATION);
        return one(Deployment.ofGiven(unknown), LettuceClient.given(client), Locator.fixed(null));
    }

    /**
     * Opens a store on connections of an existing client, with the client's options. The store opens two connections of
     * its own and closes only these. Options that suit locks: {@code REJECT_COMMANDS} while disconnected, so that
     * nothing is sent later than it was asked for, and a command time-out well above that of Holdfast, or none.
     *
     * <p>With the URI of a Sentinel it is as {@link #using(RedisClient, List, ReplicationBarrier)}, on the master that the
     * URI names, with {@link ReplicationBarrier#all()}.
     */
    public static RedisStore using(RedisClient client, RedisURI uri) {
        return uri.getSentinels().isEmpty()
                ? one(Deployment.ofGiven(uri), LettuceClient.given(client), Locator.fixed(uri))
                : open(Deployment.ofSentinel(uri), LettuceClient.like(client));
    }

    /**
     * Opens a store on a master and its replicas, with the threads and the options of an existing client, except that
     * nothing is sent twice. The connections are the store's, which closes them and not the client.
     *
     * @param nodes the master and its replicas, in any order; they are logged in to as the first says
     */
    public static RedisStore using(RedisClient client, List<RedisURI> nodes, ReplicationBarrier barrier) {
        return open(Deployment.of(Deployment.Form.REPLICATED, nodes, barrier), LettuceClient.like(client));
    }

    /**
     * Opens a store on a cluster, with the threads and the options of an existing client, except that nothing is sent twice.
     * The connections are the store's, which closes them and not the client.
     *
     * @param nodes some nodes of it; they are logged in to as the first says
     */
    public static RedisStore using(RedisClusterClient client, List<RedisURI> nodes, ReplicationBarrier barrier) {
        return open(Deployment.of(Deployment.Form.CLUSTER, nodes, barrier), LettuceClient.like(client));
    }

    @Override
    public String description() {
        return servers.description();
    }

    @Override
    public StoreTraits traits() {
        boolean replicated = !barrier.isNone() && !memory.lacksWait() && servers.areReplicated();
        StoreTraits traits =
                new StoreTraits(replicated ? Guarantee.REPLICATED : Guarantee.SINGLE, true).withMinTokens();
        return servers.epochOfCalls().isEmpty() ? traits : traits.withGrantsOnRelease();
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        Keys keys = Keys.of(claim.resource());
        // Those of claim.lua, with which those of claim_line.lua begin
        String[] args = {
            Arguments.id(claim),
            Arguments.millis(claim),
            Arguments.holds(claim),
            Arguments.tokens(claim),
            OwnerRecord.lines(claim.owner()),
            claim.type() == ResourceType.SEMAPHORE ? SEMAPHORE_KEPT : recordKept,
            claim.revocable() ? "y" : ""
        };
        String what = claim.label();
        Supplier<CompletableFuture<ClaimResult>> line = () -> servers.run(Request.of(
                        what,
                        Script.CLAIM_LINE,
                        keys.line(),
                        Arguments.inLine(claim, args, PLACE_KEPT),
                        answer -> outcome(claim, keys, answer).orElseThrow())
                .unless(epoch -> lostButBelievedIn(epoch, claim))
                .replicatedIf(outcome -> outcome instanceof ClaimResult.Granted, claim.lease()));
        if (!isPlain(claim) || claim.compatibleWith() != null || claim.minToken() > 0) {
            return backOff.send(claim.name(), line);
        }
        // Keys and arguments are what such a short script costs most, so a plain lock sends no more than it needs.
        Supplier<CompletableFuture<Optional<ClaimResult>>> plain = () -> servers.run(Request.of(
                        what, Script.CLAIM, keys.plain(), args, answer -> outcome(claim, keys, answer))
                .unless(epoch -> {
                    ClaimResult.Busy held = lostButBelievedIn(epoch, claim);
                    return held == null ? null : Optional.of(held);
                })
                .replicatedIf(
                        outcome -> outcome.isPresent() && outcome.get() instanceof ClaimResult.Granted, claim.lease()));
        return Errors.firstOr(backOff.send(claim.name(), plain), line);
    }

    /** Whether it is one that most are: alone with its lock, as far as it knows. */
    static boolean isPlain(Claim claim) {
        return claim.mode() == Mode.EXCLUSIVE && claim.policy() == QueuePolicy.BARGES;
    }

    private Optional<ClaimResult> outcome(Claim claim, Keys keys, Answer answer) {
        if (answer.isNumberAlone()) {
            return granted(claim, answer.number(0), List.of());
        }
        return switch (answer.tag()) {
            case "granted" -> granted(claim, answer.number(1), ClaimMessage.nexts(answer.textsIfAny(2)));
            // The last millisecond is still a wait.
            case "busy" ->
                Optional.of(new ClaimResult.Busy(
                        Duration.ofMillis(Math.max(1, answer.number(1))),
                        answer.numberIfAny(2),
                        answer.numberIfAny(3) == 1));
            case "look" -> Optional.empty();
            case "few" ->
                throw new StoreRefusedException(
                        "semaphore '" + claim.name() + "' has " + answer.number(1) + " permits, so " + claim.permits()
                                + " can't be had",
                        false);
            default -> throw servers.errors().foreign(claim.label(), keys, answer.text(1));
        };
    }

    private Optional<ClaimResult> granted(Claim claim, long first, List<ClaimResult.Next> next) {
        memory.granted(first + claim.tokens() - 1);
        return Optional.of(new ClaimResult.Granted(first, next));
    }

    /** An answer for those who ask a server that has just lost its data. */
    private static ClaimResult.@Nullable Busy lostButBelievedIn(Epoch epoch, Claim claim) {
        Duration wait = epoch.waitBefore(claim.lease());
        return wait.isZero() ? null : new ClaimResult.Busy(wait);
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return renewal.renew(claims);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        Keys keys = Keys.of(claim.resource());
        String what = claim.label();
        String[] args = {
            Arguments.id(claim),
            servers.channel(keys),
            ClaimDetail.letter(claim.mode()),
            recordKept,
            servers.epochOfCalls(),
            servers.hears(servers.channel(keys)) ? "1" : "0"
        };
        Supplier<CompletableFuture<ReleaseResult>> line = () -> servers.run(Request.of(
                what,
                Script.RELEASE_LINE,
                keys.line(),
                args,
                answer -> released(keys, answer).orElseThrow()));
        if (!isPlain(claim)) {
            return line.get();
        }
        String[] plain = {keys.holders(), keys.claims()};
        return Errors.firstOr(
                servers.run(Request.of(
                        what, Script.RELEASE, plain, Arrays.copyOf(args, 2), answer -> released(keys, answer))),
                line);
    }

    private Optional<ReleaseResult> released(Keys keys, Answer answer) {
        if (answer.isNumberAlone()) {
            leftovers.released(keys.kind(), keys.name());
            return Optional.of(new ReleaseResult(true, tryLeaveFree(keys, answer.number(0))));
        }
        return switch (answer.tag()) {
            case "look" -> Optional.empty();
            case "gone" -> Optional.of(new ReleaseResult(false, false));
            case "passed" -> {
                leftovers.released(keys.kind(), keys.name());
                yield Optional.of(new ReleaseResult(true, true));
            }
            default -> {
                tellOfSilence(answer.text(3));
                boolean held = answer.tag().equals("released");
                if (held) {
                    leftovers.released(keys.kind(), keys.name());
                }
                boolean heard = held && tryLeaveFree(keys, answer.number(1));
                yield Optional.of(new ReleaseResult(held, held && (heard || answer.number(2) > 0)));
            }
        };
    }

    /** Leaves a lock free for a moment that others than this store have heard to be free; false if none have. */
    private boolean tryLeaveFree(Keys keys, long heard) {
        boolean others = heard > 0 && (heard > 1 || !servers.hears(servers.channel(keys)));
        if (others && keys.kind() == ResourceType.LOCK) {
            backOff.leftFree(keys.name());
        }
        return others;
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        Keys keys = Keys.of(resource);
        String what = resource.label();
        String[] args = {
            servers.channel(keys),
            resource.type() == ResourceType.SEMAPHORE ? ClaimDetail.letter(Mode.PERMITS) : "",
            token.isPresent() ? Long.toString(token.getAsLong()) : ""
        };
        return servers.run(Request.of(what, Script.FORCE_RELEASE, keys.line(), args, answer -> switch (answer.tag()) {
            case "released" -> {
                tellOfSilence(answer.text(3));
                yield true;
            }
            case "free" -> false;
            default -> throw servers.errors().foreign(what, keys, answer.text(1));
        }));
    }

    /** Tokens here are never below the clock of the server, so there is nothing to write: either it has passed that token, or it will. */
    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return servers.masters().thenCompose(masters -> {
            CompletableFuture<?>[] checks = masters.stream()
                    .map(server -> server.<List<String>, Long>send(
                                    "raising the tokens",
                                    connection -> connection.async().time(),
                                    RedisStore::micros)
                            .thenAccept(now -> requirePassed(above, now)))
                    .toArray(CompletableFuture<?>[]::new);
            return CompletableFuture.allOf(checks).thenRun(() -> memory.granted(above));
        });
    }

    /** What TIME answers: seconds, and the microseconds of the current one. */
    private static long micros(List<String> time) {
        return TimeUnit.SECONDS.toMicros(Long.parseLong(time.get(0))) + Long.parseLong(time.get(1));
    }

    private void requirePassed(long above, long micros) {
        if (micros <= above) {
            throw new StoreRefusedException(
                    "the tokens of " + description() + " are those of its clock in microseconds, which passes " + above
                            + " in "
                            + Duration.ofMillis((above - micros) / 1_000 + 1)
                            + ": raise them again then, and take no lock here until that has been answered",
                    true);
        }
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        Keys keys = Keys.of(Resource.semaphore(name));
        String what = Messages.label(ResourceType.SEMAPHORE, name);
        String[] line = keys.line();
        String[] all = Arrays.copyOf(line, line.length + 1);
        all[line.length] = Keys.own("permits-changes", name);
        String[] args = {id, Integer.toString(by), Arguments.capacity(capacity), SEMAPHORE_KEPT, CHANGES_KEPT};
        Request<Integer> request = Request.of(what, Script.ADD_PERMITS, all, args, answer -> {
            if (!answer.tag().equals("permits")) {
                throw servers.errors().foreign(what, keys, answer.text(1));
            }
            tellOfSilence(answer.text(3));
            return (int) answer.number(1);
        });
        return servers.run(request.replicatedIf(permits -> true));
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        String channel = resource.type() == ResourceType.LATCH
                ? RedisLatches.channel(resource.name())
                : servers.channel(Keys.of(resource));
        return servers.watch(channel, changed)::run;
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return servers.listen(Keys.calls(client), message -> heard(message, listener))::run;
    }

    @Override
    public Subscription whenUnsure(Runnable look) {
        return memory.whenUnsure(look)::run;
    }

    private void heard(String text, ClaimListener listener) {
        ClaimMessage message = ClaimMessage.parse(text);
        if (message.claimId().isEmpty()) {
            listener.resync();
        } else if (message.isRevocation()) {
            listener.revocationRequested(message.claimId());
        } else if (message.isLater()) {
            backOff.later(() -> listener.turnReached(message.claimId()));
        } else if (message.grant() == null || !servers.countsCallsIn(message.epoch())) {
            listener.turnReached(message.claimId()); // the answer to the claim says what counts
        } else {
            memory.granted(message.lastToken());
            listener.granted(message.claimId(), message.ticket(), message.grant());
        }
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        Keys keys = Keys.of(resource);
        String what = resource.label();
        return servers.run(Request.of(what, Script.INSPECT, keys.line(), NONE, answer -> {
            Inspection inspection = Inspection.of(resource.type(), answer);
            if (inspection.foreign() != null) {
                throw servers.errors().foreign(what, keys, inspection.foreign());
            }
            return inspection.state(resource.name());
        }));
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return new Listing(servers, type, prefix, limit).run();
    }

    @Override
    public String shard(String name) {
        return servers.shard(name);
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
        return type.isInstance(latches) ? type.cast(latches) : QueueingStore.super.capability(type);
    }

    LatchStore latches() {
        return latches;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            servers.close();
        }
    }

    private void tellOfSilence(String why) {
        if (!why.isEmpty() && toldOfSilence.compareAndSet(false, true)) {
            log.warn(
                    "Those who wait for a lock on {} are not told of its release: {}. Allow the user the channels"
                            + " redisson_lock__channel:* and holdfast:*",
                    servers.description(),
                    why);
        }
    }
}
