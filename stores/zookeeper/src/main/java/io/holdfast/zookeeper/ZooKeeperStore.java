package io.holdfast.zookeeper;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks in a ZooKeeper ensemble (3.6 or later). What it has acknowledged survives the loss of a minority of the
 * servers.
 *
 * <p>Claiming an unused lock is one round trip, and so is its release, after which nothing is left of it. Waiters
 * have ephemeral sequential nodes, and each watches the one in front of it. Holders have nodes that do
 * <em>not</em> end with the session: a holder believes in its lease whatever becomes of its session, so the store must,
 * too. A claim ends when a waiting client has seen its node unchanged for a whole lease.
 *
 * <p>The servers may be away when the store is opened and at any time after. A session that has ended is replaced.
 */
public final class ZooKeeperStore implements QueueingStore, SemaphoreStore {

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);
    private static final StoreTraits TRAITS = new StoreTraits(Guarantee.CONSENSUS, true);

    private final String description;
    private final Session session;
    private final Errors errors;
    private final ClaimListeners listeners;
    private final NodeWatches watches;
    private final Claiming claiming;
    private final Renewing renewing;
    private final Releasing releasing;
    private final Inspecting inspecting;
    private final Permits permits;
    private final Latches latches;
    private final TokenBase tokens;
    private final Warden warden;
    private volatile boolean closed;

    private ZooKeeperStore(
            String description, String root, Session session, @Nullable Probe probe, LongSupplier clock) {
        this.description = description;
        this.session = session;
        this.errors = new Errors(description, probe);
        Tree tree = new Tree(root);
        Ledger ledger = new Ledger(session, tree, errors, clock);
        this.listeners = new ClaimListeners(ledger);
        this.watches = new NodeWatches(ledger);
        Tickets tickets = new Tickets(ledger, claim -> listeners.notifyTurn(claim.id()));
        Keeping keeping = new Keeping(ledger, tickets, listeners);
        this.renewing = new Renewing(ledger, tickets, keeping);
        this.claiming = new Claiming(ledger, renewing, keeping, tickets, listeners);
        this.releasing = new Releasing(ledger, tickets);
        this.inspecting = new Inspecting(ledger);
        this.permits = new Permits(ledger);
        this.latches = new Latches(ledger);
        this.tokens = ledger.tokens;
        this.warden = new Warden(ledger);
        warden.start();
        session.whenBegun(() -> {
            tickets.clear();
            warden.resign();
            listeners.begin();
            watches.placeAll();
        });
    }

    /**
     * Opens a store on the ensemble at
     * {@code zookeeper://[user:password@]host[:port][,host[:port]…][/chroot][?session=10s]}. Everything is kept below the
     * chroot, which is made if it is missing, or {@code /holdfast} if there is none. With a user, the
     * nodes of locks are made for that user alone (digest authentication); the nodes above them are for all users of the root.
     *
     * <p>A server that leaves a request without an answer for a second, or a third of the time-out, or a sixth of a lease that
     * is to be renewed, is passed by until it answers again: what belongs to no session goes to another one.
     *
     * @param uri where the servers are; they need not be reachable yet. Special characters are escaped as {@code %XX}
     * @throws IllegalArgumentException if the URI is wrong; the message does not contain it
     */
    public static ZooKeeperStore open(String uri, StoreConfig config) {
        return open(uri, config.timeout(), System::nanoTime);
    }

    /**
     * @param timeout how long the caller waits for an answer. The store does not enforce it: a late answer may be a grant,
     *     and the caller has to know that
     * @param clock monotonic, in nanoseconds: by it other processes' claims end
     */
    static ZooKeeperStore open(String uri, Duration timeout, LongSupplier clock) {
        ZooKeeperAddress address = ZooKeeperAddress.parse(uri);
        long silence = Math.min(LONGEST_SILENCE.toNanos(), timeout.toNanos() / 3);
        Session session = new Session(
                ended -> new Connection.Own(address, silence, ended),
                address.acl(),
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                address.root());
        ZooKeeperStore store =
                new ZooKeeperStore(address.description(), address.root(), session, new Probe(address.servers()), clock);
        session.connect();
        return store;
    }

    /**
     * Opens a store on the sessions of an existing client, which it does not close.
     *
     * @param client asked before each command, so that a client which replaces one whose session has ended is used from then
     *     on. It must not block
     * @param root the node below which everything is kept, as in {@code /holdfast}; made if it is missing
     * @param acl the access list of new nodes of names, and of the root if it is missing. The nodes between the two get the
     *     list of the root
     */
    public static ZooKeeperStore using(Supplier<ZooKeeper> client, String root, List<ACL> acl) {
        String path = ZooKeeperAddress.root(root);
        List<ACL> copy = List.copyOf(acl);
        Session session = new Session(ended -> Connection.given(client), copy, copy, path);
        return new ZooKeeperStore("ZooKeeper of a given client, below " + path, path, session, null, System::nanoTime);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        check(claim);
        return run(claim::label, () -> claiming.claim(claim));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        claims.forEach(ZooKeeperStore::check);
        return run(
                () -> claims.size() == 1 ? claims.get(0).label() : "Renewing " + claims.size() + " claims",
                () -> renewing.renew(claims));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        check(claim);
        return run(claim::label, () -> releasing.release(claim));
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        return watches.add(resource, changed);
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return listeners.subscribe(client, listener);
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return run(resource::label, () -> inspecting.inspect(resource));
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return run(() -> "The list of locks", () -> inspecting.list(type, prefix, limit));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        return run(resource::label, () -> releasing.force(resource, token));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return run(() -> "raising the tokens", () -> tokens.raise(above));
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return run(() -> Messages.label(ResourceType.SEMAPHORE, name), () -> permits.add(name, id, by, capacity));
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
        closed = true;
        warden.close();
        watches.close();
        listeners.close();
        session.close();
    }

    private <T> CompletableFuture<T> run(Supplier<String> what, Supplier<CompletableFuture<T>> command) {
        return closed ? CompletableFuture.failedFuture(errors.closed(what.get())) : errors.told(what, command.get());
    }

    private static void check(Claim claim) {
        if (claim.lease().isNegative() || claim.lease().isZero()) {
            throw new IllegalArgumentException("a lease must be more than nothing, not " + claim.lease());
        }
        if (claim.tokens() < 1 || claim.permits() < 1 || claim.holds() < 1) {
            throw new IllegalArgumentException("a claim has at least 1 token, 1 permit and 1 hold: " + claim);
        }
    }
}
