package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Transactions:")
class TransactionTest extends StoreTest {

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "a lock that is taken inside a caller's transaction is there for others at once, and outlives a rollback")
    void ofTheCaller(TestDatabase database) throws SQLException {
        CountingSource source = opened(new CountingSource(database));
        JdbcStore other = open(database);
        String name = newName();
        try (Connection connection = source.open();
                Holdfast holdfast = Holdfast.builder()
                        .store(JdbcStore.using(source.source()))
                        .build()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            }
            DistributedLock lock = holdfast.lock(name);
            lock.lock();
            try {
                assertThat(isGranted(other.claim(newClaim(name)))).isFalse();
                connection.rollback();
                assertThat(isGranted(other.claim(newClaim(name)))).isFalse();
            } finally {
                lock.unlock();
            }
            assertThat(isGranted(other.claim(newClaim(name)))).isTrue();
            assertThat(connection.getAutoCommit()).isFalse();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("connections go back as they came, with their own isolation and without a transaction")
    void leaveConnectionsAsTheyWere(TestDatabase database) throws SQLException {
        CountingSource source = opened(new CountingSource(database));
        JdbcStore store = opened(JdbcStore.using(source.source()));
        int isolation;
        try (Connection connection = source.open()) {
            isolation = connection.getTransactionIsolation();
        }
        Claim claim = newClaim(newName(), Mode.SHARED, QueuePolicy.QUEUES);
        token(store.claim(claim));
        get(store.release(claim));
        for (int i = 0; i < 8; i++) {
            try (Connection connection = source.open()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
                assertThat(connection.getNetworkTimeout()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a row that another transaction has locked is waited for")
    void wait(TestDatabase database) throws Exception {
        JdbcStore store = open(database);
        Claim claim = newClaim(newName());
        token(store.claim(claim));
        CompletableFuture<ReleaseResult> released;
        try (LockedRow row = LockedRow.of(database, claim)) {
            released = store.release(claim).toCompletableFuture();
            Thread.sleep(200); // it waits
            assertThat(released).isNotDone();
        }
        assertThat(get(released).held()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("that of a client which stands still in its middle holds up others for a few seconds at most")
    void standStill(TestDatabase database) throws Exception {
        JdbcStore store = open(database);
        Claim claim = newClaim(newName());
        token(store.claim(claim));
        get(store.release(claim));
        Connections pool = Connections.pool(JdbcUrl.parse(database.uri()), CONFIG);
        try {
            Connection still = standsStill(pool, database.database().dialect(), claim.name());
            assertThat(isGranted(store.claim(newClaim(claim.name())))).isTrue();
            // What the one that stood still does next fails as on a broken connection, and is run again on another.
            SQLException hungUp = catchThrowableOfType(SQLException.class, () -> {
                try (Bound look =
                        database.database().dialect().sql("schema_version").on(still)) {
                    look.query().next();
                }
            });
            assertThat(new Errors("the database", database.database()).remedy(hungUp))
                    .isEqualTo(Errors.Remedy.RECONNECT);
        } finally {
            pool.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("that of a client which stands still in its middle costs nobody a lock that is held")
    void standStillBesideAHolder(TestDatabase database) throws Exception {
        Duration lease = Duration.ofSeconds(5);
        String name = newName();
        Connections pool = Connections.pool(JdbcUrl.parse(database.uri()), CONFIG);
        try (Holdfast holdfast =
                Holdfast.builder().uri(database.uri()).lease(lease).build()) {
            Lease held = holdfast.lock(name).acquire();
            Connection still = standsStill(pool, database.database().dialect(), name);
            Thread.sleep(lease.plusMillis(200).toMillis()); // it has to be renewed meanwhile
            assertThat(held.isValid()).isTrue();
            assertThat(holdfast.inspect(name).holders()).hasSize(1);
            held.close();
            still.abort(Runnable::run);
        } finally {
            pool.close();
        }
    }

    /** A connection with a transaction that has the lock's row, as it is in the middle of a command. */
    private static Connection standsStill(Connections pool, Dialect dialect, String name) throws SQLException {
        Connection still = pool.open();
        still.setAutoCommit(false);
        dialect.begin(still);
        try (Bound lock = dialect.sql("line_lock").on(still)) {
            lock.set("kind", Key.LOCK)
                    .setNames("names", List.of(Key.bytes(name)))
                    .query()
                    .next();
        }
        return still;
    }

    @Test
    @DisplayName("of a client that stood still for longer than PostgreSQL lets it are run again when it goes on")
    void goOn() throws Exception {
        CountingSource source = opened(new CountingSource(
                TestDatabase.POSTGRES.uri() + "&options=-c%20idle_in_transaction_session_timeout=100"));
        JdbcStore store = opened(JdbcStore.using(source.source(), Database.POSTGRESQL));
        String name = newName();
        token(store.claim(newClaim(name, Mode.SHARED, QueuePolicy.BARGES)));
        AtomicBoolean stoodStill = new AtomicBoolean();
        source.before(() -> {
            boolean inTheMiddle = source.sent().get(source.sent().size() - 1).contains("FROM holdfast_claim");
            if (inTheMiddle && stoodStill.compareAndSet(false, true)) {
                standStill(Duration.ofMillis(500));
            }
        });
        source.sent().clear();
        token(store.claim(newClaim(name, Mode.SHARED, QueuePolicy.BARGES)));
        assertThat(stoodStill).isTrue();
    }

    private static void standStill(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("those that meet in the wrong order are run again, and nobody notices")
    void meet(TestDatabase database) {
        JdbcStore one = open(database);
        JdbcStore two = open(database);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Claim claim = newClaim(newName(), Mode.SHARED, QueuePolicy.BARGES);
            token(one.claim(claim));
            claims.add(claim);
        }
        List<Claim> reversed = new ArrayList<>(claims);
        java.util.Collections.reverse(reversed);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(one.renew(claims).toCompletableFuture());
            all.add(two.renew(reversed).toCompletableFuture());
            all.add(two.claim(newClaim(claims.get(i % 12).name(), Mode.SHARED, QueuePolicy.BARGES))
                    .toCompletableFuture());
            all.add(one.forceRelease(Resource.lock(newName()), OptionalLong.empty())
                    .toCompletableFuture());
        }
        all.forEach(StoreTest::get);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a failure that says \"run it again\" is run again, and told as one to try later if it goes on")
    void areRunAgain(TestDatabase database) {
        CountingSource source = opened(new CountingSource(database));
        JdbcStore store = opened(JdbcStore.using(source.source(), database.database()));
        Claim claim = newClaim(newName());
        token(store.claim(claim));
        for (String state : List.of("40001", "40P01", "55P03")) {
            int[] left = {3};
            source.before(() -> {
                if (left[0]-- > 0) {
                    sneak(new SQLException("made up", state));
                }
            });
            source.sent().clear();
            assertThat(get(store.release(newClaim(claim.name()))).held()).isFalse();
            source.before(() -> {});
            assertThat(left[0]).isNegative();
        }
        source.before(() -> sneak(new SQLException("made up for ever", "40001")));
        io.holdfast.StoreRefusedException refused =
                failure(io.holdfast.StoreRefusedException.class, store.claim(claim));
        source.before(() -> {});
        assertThat(refused.retryable()).isTrue();
        assertThat(refused).hasMessageContaining("made up for ever").hasMessageContaining(claim.name());
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
