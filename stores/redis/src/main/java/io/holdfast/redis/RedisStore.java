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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps locks on one Redis server (6.0 or later), where Redisson keeps its own: an {@code RLock} and a Holdfast lock of
 * one name exclude and wake each other.
 *
 * <p>A claim and a release cost one round trip each. What is kept of a name after its release is one small string with
 * the last token, for a day.
 *
 * <p>The server may be away when the store is opened and at any time after; the store connects again when there is
 * something to send. Commands are sent once: what a broken connection left unanswered fails.
 */
public final class RedisStore implements LockStore {

    private static final Logger log = LoggerFactory.getLogger(RedisStore.class);

    private static final StoreTraits TRAITS = new StoreTraits(Guarantee.SINGLE, true);
    private static final Duration MAX_LEASE = Duration.ofDays(3_650);
    private static final int MAX_TOKENS = 1 << 20;
    private static final String RECORD_KEPT = Long.toString(Duration.ofDays(1).toMillis());

    /** Keeps one script short for the other clients of the server: about a millisecond. */
    private static final int RENEWED_AT_ONCE = 256;

    private static final String[] NONE = {};

    private final Server server;
    private final Watches watches;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean toldOfSilence = new AtomicBoolean();

    private RedisStore(Server server) {
        this.server = server;
        this.watches = new Watches(server);
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
        if (claim.mode() != Mode.EXCLUSIVE || claim.turn() != Turn.BARGES) {
            return CompletableFuture.failedFuture(missing());
        }
        Keys keys = Keys.of(claim.name());
        if (claim.tokens() < 1 || claim.tokens() > MAX_TOKENS) {
            throw new IllegalArgumentException(
                    "a claim reserves 1 to " + MAX_TOKENS + " tokens, not " + claim.tokens());
        }
        String[] args = {
            id(claim),
            millis(claim),
            holds(claim),
            Integer.toString(claim.tokens()),
            OwnerRecord.lines(claim.owner()),
            RECORD_KEPT
        };
        String what = what(claim.name());
        return server.runUnless(
                () -> lostButBelievedIn(claim), what, Script.CLAIM, both(keys), args, answer -> switch (answer.tag()) {
                    case "granted" -> new Outcome.Granted(answer.number(1));
                    // The last millisecond is still a wait.
                    case "busy" -> new Outcome.Waiting(Duration.ofMillis(Math.max(1, answer.number(1))));
                    default -> throw server.errors().foreign(what, keys, answer.text(1));
                });
    }

    /** An answer for those who ask a server that has just lost its data. */
    private Outcome.@Nullable Waiting lostButBelievedIn(Claim claim) {
        Duration wait = server.epoch().waitBefore(claim.lease());
        return wait.isZero() ? null : new Outcome.Waiting(wait);
    }

    @Override
    public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
        if (claims.size() <= RENEWED_AT_ONCE) {
            return renewBatch(claims);
        }
        List<CompletableFuture<Map<String, Standing>>> batches = new ArrayList<>();
        for (int from = 0; from < claims.size(); from += RENEWED_AT_ONCE) {
            batches.add(renewBatch(claims.subList(from, Math.min(claims.size(), from + RENEWED_AT_ONCE))));
        }
        return Errors.all(batches, () -> {
            Map<String, Standing> standings = new HashMap<>();
            batches.forEach(batch -> standings.putAll(batch.join()));
            return standings;
        });
    }

    private CompletableFuture<Map<String, Standing>> renewBatch(List<Claim> claims) {
        if (claims.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        List<String> ids = new ArrayList<>(claims.size());
        List<String> keys = new ArrayList<>(2 * claims.size());
        List<String> args = new ArrayList<>(3 * claims.size() + 1);
        args.add(RECORD_KEPT);
        for (Claim claim : claims) {
            Keys its = Keys.of(claim.name());
            server.epoch().asked(claim.lease());
            ids.add(claim.id());
            keys.addAll(List.of(its.lock(), its.record()));
            args.addAll(List.of(id(claim), millis(claim), holds(claim)));
        }
        String what = claims.size() == 1 ? what(claims.get(0).name()) : "Renewing " + claims.size() + " locks";
        return server.run(what, Script.RENEW, keys.toArray(String[]::new), args.toArray(String[]::new), answer -> {
            Map<String, Standing> standings = new HashMap<>();
            for (int i = 0; i < ids.size(); i++) {
                if (answer.text(i).equals("held")) {
                    standings.put(ids.get(i), Standing.HELD);
                }
            }
            return standings;
        });
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        Keys keys = Keys.of(claim.name());
        String[] args = {id(claim), keys.channel()};
        return server.run(
                what(claim.name()), Script.RELEASE, new String[] {keys.lock()}, args, answer -> switch (answer.tag()) {
                    case "released" -> new Release(true, answer.number(1) > (watches.hears(keys.channel()) ? 1 : 0));
                    case "unheard" -> {
                        tellOfSilence(answer.text(1));
                        yield new Release(true, false);
                    }
                    default -> new Release(false, false);
                });
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Kind kind, String name) {
        Keys keys = Keys.of(name);
        String what = what(name);
        return server.run(
                what, Script.FORCE_RELEASE, both(keys), new String[] {keys.channel()}, answer -> switch (answer.tag()) {
                    case "released" -> true;
                    case "unheard" -> {
                        tellOfSilence(answer.text(1));
                        yield true;
                    }
                    case "free" -> false;
                    default -> throw server.errors().foreign(what, keys, answer.text(1));
                });
    }

    @Override
    public Subscription watch(Kind kind, String name, Runnable changed) {
        return watches.add(Keys.of(name).channel(), changed)::run;
    }

    @Override
    public CompletionStage<LockState> inspect(Kind kind, String name) {
        Keys keys = Keys.of(name);
        String what = what(name);
        return server.run(what, Script.INSPECT, both(keys), NONE, answer -> {
            Inspection inspection = Inspection.of(answer);
            if (inspection.foreign() != null) {
                throw server.errors().foreign(what, keys, inspection.foreign());
            }
            return new LockState(name, inspection.holders(), List.of());
        });
    }

    @Override
    public CompletionStage<List<LockState>> list(Kind kind, String prefix, int limit) {
        return new Listing(server, prefix, limit).run();
    }

    @Override
    public Subscription listen(String client, Consumer<String> called) {
        return () -> {};
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return CompletableFuture.failedFuture(missing());
    }

    @Override
    public LatchStore latches() {
        throw missing();
    }

    private StoreRefusedException missing() {
        return new StoreRefusedException(server.description() + " keeps plain locks only so far", false);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            watches.close();
            server.close();
        }
    }

    private static String[] both(Keys keys) {
        return new String[] {keys.lock(), keys.record()};
    }

    /** How a message about a lock begins. */
    static String what(String name) {
        return "Lock \"" + name + "\"";
    }

    // Scripts do not roll back, so nothing may reach one that it can't work with.
    private static String id(Claim claim) {
        String id = claim.id();
        if (id.isEmpty() || id.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw new IllegalArgumentException("a claim's id must be visible ASCII without spaces");
        }
        return id;
    }

    private static String millis(Claim claim) {
        Duration lease = claim.lease();
        if (lease.isNegative() || lease.isZero() || lease.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "a lease must be more than nothing and at most " + MAX_LEASE.toDays() + " days, not " + lease);
        }
        // Rounded up: a claim never ends earlier than it was promised.
        return Long.toString(lease.plusNanos(999_999).toMillis());
    }

    private static String holds(Claim claim) {
        if (claim.holds() < 1) {
            throw new IllegalArgumentException("a claim has at least 1 hold, not " + claim.holds());
        }
        return Integer.toString(claim.holds());
    }

    private void tellOfSilence(String why) {
        if (toldOfSilence.compareAndSet(false, true)) {
            log.warn(
                    "Those who wait for a lock on {} are not told of its release: {}. Allow the user the channels"
                            + " redisson_lock__channel:*",
                    server.description(),
                    why);
        }
    }
}
