package io.holdfast.redis;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.Standing;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.Turn;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps locks, semaphores and latches on one Redis server (6.0 or later), the locks where Redisson keeps its own: an
 * {@code RLock} and a Holdfast lock of one name exclude and wake each other, and the {@code RLock} takes a read lock for
 * a lock as well.
 *
 * <p>A claim and a release cost one round trip each; those of a plain lock two while readers or a queue are about. What is kept of a name after its release is one small string with
 * the last token, for a day. A semaphore is known for a day after its last use.
 *
 * <p>The server may be away when the store is opened and at any time after; the store connects again when there is
 * something to send. Commands are sent once: what a broken connection left unanswered fails.
 */
public final class RedisStore implements LockStore {

    private static final Logger log = LoggerFactory.getLogger(RedisStore.class);

    private static final StoreTraits TRAITS = new StoreTraits(Guarantee.SINGLE, true);
    private static final String RECORD_KEPT = Long.toString(Duration.ofDays(1).toMillis());
    private static final String PLACE_KEPT = Long.toString(Claim.PLACE.toMillis());
    private static final String CHANGES_KEPT = "100000";

    /** Those of claim.lua, with which those of claim_line.lua begin. */
    private static final int PLAIN_ARGS = 7;

    private static final String[] NONE = {};

    private final Server server;
    private final Watches watches;
    private final Renewal renewal;
    private final RedisLatches latches;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean toldOfSilence = new AtomicBoolean();

    private RedisStore(Server server) {
        this.server = server;
        this.watches = new Watches(server);
        this.renewal = new Renewal(server, RECORD_KEPT);
        this.latches = new RedisLatches(server);
    }

    /**
     * Opens a store on the server at {@code redis://[[user]:password@]host[:port][/database][?timeout=2s]}, or {@code
     * rediss://} for TLS, which is never downgraded and checks the server's certificate and host name.
     *
     * @param uri where the server is; it need not be reachable yet. Special characters are escaped as {@code %XX}
     * @param config its time-out is for making a connection, where the URI names none
     * @throws IllegalArgumentException if the URI is wrong; the message does not contain it
     */
    public static RedisStore open(String uri, StoreConfig config) {
        RedisURI address = RedisAddress.parse(uri, config.timeout());
        Server server = new Server(RedisAddress.describe(address), Client.own(address, config), address.getTimeout());
        server.connect();
        return new RedisStore(server);
    }

    /** As {@link #using(RedisClient, RedisURI)}, on the server that the client was made for. */
    public static RedisStore using(RedisClient client) {
        return new RedisStore(
                new Server("Redis of a given client", Client.given(client, null), RedisURI.DEFAULT_TIMEOUT_DURATION));
    }

    /**
     * Opens a store on connections of an existing client, with the client's options. The store opens two connections of
     * its own and closes only these. Options that suit locks: {@code REJECT_COMMANDS} while disconnected, so that
     * nothing is sent later than it was asked for, and a command time-out well above that of Holdfast, or none.
     */
    public static RedisStore using(RedisClient client, RedisURI uri) {
        return new RedisStore(new Server(RedisAddress.describe(uri), Client.given(client, uri), uri.getTimeout()));
    }

    @Override
    public String description() {
        return server.description();
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public CompletionStage<Outcome> claim(Claim claim) {
        Keys keys = Keys.of(claim.kind(), claim.name());
        String[] args = {
            Arguments.id(claim),
            Arguments.millis(claim),
            Arguments.holds(claim),
            Arguments.tokens(claim),
            OwnerRecord.lines(claim.owner()),
            RECORD_KEPT,
            claim.yields() ? "y" : "",
            ClaimDetail.letter(claim.mode()),
            Arguments.turn(claim.turn()),
            Arguments.permits(claim),
            Arguments.capacity(claim.capacity()),
            Arguments.beside(claim),
            PLACE_KEPT
        };
        String what = what(claim.kind(), claim.name());
        Supplier<CompletableFuture<Outcome>> line = () -> server.runUnless(
                () -> lostButBelievedIn(claim),
                what,
                Script.CLAIM_LINE,
                keys.line(),
                args,
                answer -> outcome(claim, keys, answer).orElseThrow());
        if (!isPlain(claim) || claim.beside() != null) {
            return line.get();
        }
        // Keys and arguments are what such a short script costs most, so a plain lock sends no more than it needs.
        CompletableFuture<Optional<Outcome>> plain = server.runUnless(
                () -> {
                    Outcome.Waiting held = lostButBelievedIn(claim);
                    return held == null ? null : Optional.of(held);
                },
                what,
                Script.CLAIM,
                keys.plain(),
                Arrays.copyOf(args, PLAIN_ARGS),
                answer -> outcome(claim, keys, answer));
        return Errors.firstOr(plain, line);
    }

    /** Whether it is one that most are: alone with its lock, as far as it knows. */
    static boolean isPlain(Claim claim) {
        return claim.mode() == Mode.EXCLUSIVE && claim.turn() == Turn.BARGES;
    }

    private Optional<Outcome> outcome(Claim claim, Keys keys, Answer answer) {
        return switch (answer.tag()) {
            case "granted" -> Optional.of(new Outcome.Granted(answer.number(1)));
            // The last millisecond is still a wait.
            case "busy" -> Optional.of(new Outcome.Waiting(Duration.ofMillis(Math.max(1, answer.number(1)))));
            case "look" -> Optional.empty();
            case "few" ->
                throw new StoreRefusedException(
                        "semaphore '" + claim.name() + "' has " + answer.number(1) + " permits, so " + claim.permits()
                                + " can't be had",
                        false);
            default -> throw server.errors().foreign(what(claim.kind(), claim.name()), keys, answer.text(1));
        };
    }

    /** An answer for those who ask a server that has just lost its data. */
    private Outcome.@Nullable Waiting lostButBelievedIn(Claim claim) {
        Duration wait = server.epoch().waitBefore(claim.lease());
        return wait.isZero() ? null : new Outcome.Waiting(wait);
    }

    @Override
    public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
        return renewal.renew(claims);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        Keys keys = Keys.of(claim.kind(), claim.name());
        String what = what(claim.kind(), claim.name());
        String[] args = {Arguments.id(claim), keys.channel(), ClaimDetail.letter(claim.mode())};
        Supplier<CompletableFuture<Release>> line = () -> server.run(
                what,
                Script.RELEASE_LINE,
                keys.line(),
                args,
                answer -> released(keys, answer).orElseThrow());
        if (!isPlain(claim)) {
            return line.get();
        }
        String[] plain = {keys.holders(), keys.claims()};
        return Errors.firstOr(
                server.run(what, Script.RELEASE, plain, Arrays.copyOf(args, 2), answer -> released(keys, answer)),
                line);
    }

    private Optional<Release> released(Keys keys, Answer answer) {
        return switch (answer.tag()) {
            case "look" -> Optional.empty();
            case "gone" -> Optional.of(new Release(false, false));
            default -> {
                tellOfSilence(answer.text(3));
                boolean held = answer.tag().equals("released");
                boolean heard = answer.number(1) > (watches.hears(keys.channel()) ? 1 : 0);
                yield Optional.of(new Release(held, held && (heard || answer.number(2) > 0)));
            }
        };
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Kind kind, String name) {
        Keys keys = Keys.of(kind, name);
        String what = what(kind, name);
        String[] args = {keys.channel(), kind == Kind.SEMAPHORE ? ClaimDetail.letter(Mode.PERMITS) : ""};
        return server.run(what, Script.FORCE_RELEASE, keys.line(), args, answer -> switch (answer.tag()) {
            case "released" -> {
                tellOfSilence(answer.text(3));
                yield true;
            }
            case "free" -> false;
            default -> throw server.errors().foreign(what, keys, answer.text(1));
        });
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        Keys keys = Keys.of(Kind.SEMAPHORE, name);
        String what = what(Kind.SEMAPHORE, name);
        String[] line = keys.line();
        String[] all = Arrays.copyOf(line, line.length + 1);
        all[line.length] = Keys.own("permits-changes", name);
        String[] args = {id, Integer.toString(by), Arguments.capacity(capacity), RECORD_KEPT, CHANGES_KEPT};
        return server.run(what, Script.ADD_PERMITS, all, args, answer -> {
            if (!answer.tag().equals("permits")) {
                throw server.errors().foreign(what, keys, answer.text(1));
            }
            tellOfSilence(answer.text(3));
            return (int) answer.number(1);
        });
    }

    @Override
    public Subscription watch(Kind kind, String name, Runnable changed) {
        String channel = kind == Kind.LATCH
                ? RedisLatches.channel(name)
                : Keys.of(kind, name).channel();
        return watches.watch(channel, changed)::run;
    }

    @Override
    public Subscription listen(String client, Consumer<String> called) {
        return watches.listen(Keys.calls(client), called)::run;
    }

    @Override
    public CompletionStage<LockState> inspect(Kind kind, String name) {
        Keys keys = Keys.of(kind, name);
        String what = what(kind, name);
        return server.run(what, Script.INSPECT, keys.line(), NONE, answer -> {
            Inspection inspection = Inspection.of(kind, answer);
            if (inspection.foreign() != null) {
                throw server.errors().foreign(what, keys, inspection.foreign());
            }
            return inspection.state(name);
        });
    }

    @Override
    public CompletionStage<List<LockState>> list(Kind kind, String prefix, int limit) {
        return new Listing(server, kind, prefix, limit).run();
    }

    @Override
    public LatchStore latches() {
        return latches;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            watches.close();
            server.close();
        }
    }

    /** How a message about a name begins. */
    static String what(Kind kind, String name) {
        String noun = switch (kind) {
            case LOCK -> "Lock";
            case SEMAPHORE -> "Semaphore";
            case LATCH -> "Latch";
        };
        return noun + " \"" + name + "\"";
    }

    private void tellOfSilence(String why) {
        if (!why.isEmpty() && toldOfSilence.compareAndSet(false, true)) {
            log.warn(
                    "Those who wait for a lock on {} are not told of its release: {}. Allow the user the channels"
                            + " redisson_lock__channel:* and holdfast:*",
                    server.description(),
                    why);
        }
    }
}
