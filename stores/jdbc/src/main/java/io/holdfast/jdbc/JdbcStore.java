package io.holdfast.jdbc;

import io.holdfast.LockState;
import io.holdfast.StoreUnavailableException;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks in the tables {@code holdfast_…} of a relational database: PostgreSQL, MySQL, MariaDB or H2. The tables are
 * made when they are first needed and missing; {@link JdbcSchema} is for those who may not make any.
 *
 * <p>Taking a lock that is free, or finding that it is not, is one statement; so is giving it back. Neither a connection
 * nor a transaction is open while a lock is held. Commands run in a few threads of the store, with connections that no
 * caller's transaction sees. Leases end by the database's clock.
 *
 * <p>The database may be away when the store is opened and at any time after.
 */
public final class JdbcStore implements QueueingStore, SemaphoreStore {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration BRIEFLY = Duration.ofMillis(200);
    private static final Duration LONGER = Duration.ofSeconds(1);

    private final String description;
    private final StoreTraits traits;
    private final Connections connections;
    private final Lanes lanes;
    private final Commands commands;
    private final Watchers watches = new Watchers();
    private final Order order = new Order();
    private final Signals signals;
    private final Claims claims;
    private final Renewals renewals;
    private final GroupCommit gathering;
    private final Latches latches;
    private final Inspection inspection;
    private final Cleaner cleaner;
    private final Errors errors;
    private final AtomicBoolean closed = new AtomicBoolean();

    private JdbcStore(
            Database database,
            String description,
            StoreTraits traits,
            Connections connections,
            Lanes lanes,
            Duration timeout) {
        this.description = description;
        this.traits = traits;
        this.connections = connections;
        this.lanes = lanes;
        Dialect dialect = database.dialect();
        this.errors = new Errors(description, database);
        Transactions transactions = new Transactions(dialect, connections.areIsolated());
        AppliedChanges changes = new AppliedChanges(dialect);
        this.commands =
                new Commands(connections, lanes, dialect, errors, new Schema(dialect, errors, description), timeout);
        Tickets tickets = new Tickets(dialect, transactions);
        this.signals = new Signals(
                commands,
                dialect,
                watches,
                new Polling(commands, dialect, watches, tickets),
                dialect.tells() ? new Listener(connections, watches.me(), watches::hear) : null);
        Lines lines = new Lines(dialect, transactions, watches);
        this.claims = new Claims(dialect, errors, transactions, lines, tickets, changes, watches, signals);
        this.renewals = new Renewals(commands, claims, errors);
        this.gathering = new GroupCommit(commands, claims::changeAll);
        this.latches = new Latches(commands, dialect, transactions, changes, watches);
        this.inspection = new Inspection(dialect);
        this.cleaner = new Cleaner(dialect, transactions, lines);
    }

    /**
     * Opens a store on a database, with a pool of connections of its own: {@code jdbc:postgresql://host/database},
     * {@code jdbc:mariadb://…}, {@code jdbc:mysql://…} or {@code jdbc:h2:…}, with the parameters that the driver knows.
     * The driver has to be on the class path.
     *
     * @param uri where the database is; it need not be reachable yet
     * @param config its time-out is for making a connection, and twice as long for an answer
     * @throws IllegalArgumentException if the URI is wrong, or there is no driver for it; the message does not contain it
     */
    public static JdbcStore open(String uri, StoreConfig config) {
        JdbcUrl address = JdbcUrl.parse(uri);
        JdbcStore store = new JdbcStore(
                address.database(),
                address.description(),
                address.database().traits(address.description()),
                Connections.pool(address, config),
                new Lanes(Lanes.OWN_WORKERS),
                config.timeout());
        // So that the first command need not connect; if that fails, the command will try again and tell.
        store.commands.renew("Connecting", connection -> true);
        return store;
    }

    /**
     * As {@link #using(DataSource, Database)}, on whichever database that leads to: it is asked, so it has to be reachable.
     *
     * @throws StoreUnavailableException if it is not
     * @throws IllegalArgumentException if it is none that locks can be kept in
     */
    public static JdbcStore using(DataSource source) {
        try (Connection connection = source.getConnection()) {
            return using(
                    source, Database.of(connection), connection.getMetaData().getURL());
        } catch (SQLException e) {
            throw new StoreUnavailableException(
                    "the data source gives no connection, so it is not known which database it leads to: "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Opens a store on connections of a data source, which stays the caller's: closing the store does not close it. The
     * store takes up to six connections at a time and keeps none of them, but one on PostgreSQL while somebody waits
     * for a lock, and for as long as the store is open after that. Where a pool has fewer, renewals wait for commands.
     *
     * @param database what it leads to; nothing is asked before the first command
     */
    public static JdbcStore using(DataSource source, Database database) {
        return using(source, database, "");
    }

    private static JdbcStore using(DataSource source, Database database, @Nullable String url) {
        return new JdbcStore(
                database,
                database.title() + " of a given data source",
                database.traits(url == null ? "" : url),
                Connections.of(source, DEFAULT_TIMEOUT),
                new Lanes(Lanes.GIVEN_WORKERS),
                DEFAULT_TIMEOUT);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    // ---- claims -----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        Arguments.check(claim);
        String what = claim.label();
        cleanIfDue();
        return order.claiming(
                claim,
                () -> claims.isGathered(claim)
                        ? gathering.claim(what, claim, connection -> claims.claim(connection, claim))
                        : commands.run(what, connection -> claims.claim(connection, claim)));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> all) {
        all.forEach(Arguments::check);
        if (all.isEmpty()) {
            return CompletableFuture.completedStage(Map.of());
        }
        String what = all.size() == 1 ? all.get(0).label() : "Renewing " + all.size() + " claims";
        return renewals.run(what, all);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        Arguments.check(claim);
        String what = claim.label();
        AtomicBoolean mayHaveRun = new AtomicBoolean();
        cleanIfDue();
        renewals.forget(claim.id());
        return order.releasing(
                claim,
                () -> claims.isReleasedTogether(claim)
                        ? gathering.release(
                                what, claim, mayHaveRun, connection -> release(connection, claim, mayHaveRun))
                        : commands.run(what, connection -> release(connection, claim, mayHaveRun)));
    }

    /** Run again after its connection broke, "not held" may be the work of the first time, whose answer was lost. */
    private ReleaseResult release(Connection connection, Claim claim, AtomicBoolean mayHaveRun) throws SQLException {
        try {
            ReleaseResult release = claims.release(connection, claim);
            return mayHaveRun.get() ? new ReleaseResult(true, release.contended()) : release;
        } catch (SQLException e) {
            if (errors.remedy(e) == Errors.Remedy.RECONNECT) {
                mayHaveRun.set(true);
            }
            throw e;
        }
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        Key key = key(resource);
        return run(resource.label(), connection -> claims.forceRelease(connection, key, token));
    }

    /** The floor that names without a row begin above is that of all names: each statement that grants reads it. */
    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return run("raising the tokens", connection -> claims.raiseTokens(connection, above))
                .thenApply(raised -> null);
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        Arguments.name(name);
        Arguments.text("the id of a change", id);
        return run(
                Messages.label(ResourceType.SEMAPHORE, name),
                connection -> claims.addPermits(connection, name, id, by, capacity));
    }

    // ---- telling ----------------------------------------------------------------------------------------------

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        Key key = key(resource);
        boolean inPlace = watches.isMarked(key);
        Subscription watch = subscribe(key, unused -> changed.run());
        if (inPlace) { // nobody else will say so
            changed.run();
        }
        return watch;
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return subscribe(Key.client(Arguments.text("a client", client)), id -> notify(listener, id));
    }

    /** The database says which claim it is about, or nothing when the subscription is in place. */
    private void notify(ClaimListener listener, String claimId) {
        if (claimId.isEmpty()) {
            listener.resync();
        } else if (signals.isRevocable(claimId)) {
            listener.revocationRequested(claimId);
        } else {
            listener.turnReached(claimId);
        }
    }

    private Subscription subscribe(Key key, Consumer<String> hearer) {
        Runnable end = watches.add(key, hearer);
        signals.watchesChanged();
        return () -> {
            end.run();
            signals.watchesChanged();
        };
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        Key key = key(resource);
        return run(resource.label(), connection -> inspection.inspect(connection, key));
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return run(
                "Listing \"" + prefix + "\"", connection -> inspection.list(connection, Key.code(type), prefix, limit));
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
        return type.isInstance(latches) ? type.cast(latches) : QueueingStore.super.capability(type);
    }

    LatchStore latches() {
        return latches;
    }

    /** Runs a command, and cleans up afterwards if it is time to. */
    private <T> CompletableFuture<T> run(String what, Commands.Work<T> work) {
        cleanIfDue();
        return commands.run(what, work);
    }

    private void cleanIfDue() {
        if (cleaner.isDue()) {
            commands.run("Cleaning up", connection -> cleaner.clean(connection, Cleaner.KEPT));
        }
    }

    Duration untilCleanUp() {
        return cleaner.untilDue();
    }

    /** Cleans up now. */
    CompletableFuture<Integer> clean(Duration kept) {
        return commands.run("Cleaning up", connection -> cleaner.clean(connection, kept));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            signals.close();
            commands.close();
            lanes.close();
            lanes.awaitEnd(BRIEFLY); // what is broken off on its way makes the pool warn
            connections.close();
            lanes.awaitEnd(LONGER);
        }
    }

    private static Key key(Resource resource) {
        return Key.of(resource.type(), Arguments.name(resource.name()));
    }

    @Override
    public String toString() {
        return "JdbcStore on " + description;
    }
}
