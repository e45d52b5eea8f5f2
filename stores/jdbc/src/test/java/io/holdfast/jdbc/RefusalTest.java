package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.StoreConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("PostgreSQL says no:")
class RefusalTest extends StoreTest {

    private static final String PASSWORD = "s3cret-Pa55";
    private static final TestDatabase POSTGRES = TestDatabase.POSTGRES;

    private JdbcStore as(String user, String database) {
        String uri = POSTGRES.uri()
                .replace("user=postgres", "user=" + user + "&password=" + PASSWORD)
                .replace("/postgres?", "/" + database + "?");
        return opened(JdbcStore.open(uri, new StoreConfig("holdfast-test", Duration.ofSeconds(3))));
    }

    @Test
    @DisplayName("a user who may not use the tables is told what to grant")
    void noRights() throws SQLException {
        token(open(POSTGRES).claim(newClaim(newName()))); // the tables are there
        POSTGRES.execute("DROP ROLE IF EXISTS stranger", "CREATE ROLE stranger LOGIN PASSWORD '" + PASSWORD + "'");
        JdbcStore store = as("stranger", "postgres");
        Claim claim = newClaim(newName());
        StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(claim));
        assertThat(refused.retryable()).isFalse();
        assertThat(refused).hasMessageContaining("Grant").hasMessageContaining(claim.name());
        assertThat(refused).hasMessageNotContaining(PASSWORD);
        failure(StoreRefusedException.class, store.release(claim));
        failure(StoreRefusedException.class, store.latches().look("latch"));
    }

    @Test
    @DisplayName("a user who may not make tables, where there are none, is told of the script")
    void noTables() throws SQLException {
        POSTGRES.execute(
                "DROP DATABASE IF EXISTS bare",
                "DROP ROLE IF EXISTS reader",
                "CREATE DATABASE bare",
                "CREATE ROLE reader LOGIN PASSWORD '" + PASSWORD + "'");
        String bare = POSTGRES.uri().replace("/postgres?", "/bare?");
        try (var connection = java.sql.DriverManager.getConnection(bare);
                var statement = connection.createStatement()) {
            statement.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");
            statement.execute("GRANT USAGE ON SCHEMA public TO reader");
        }
        JdbcStore store = as("reader", "bare");
        String logged = logged(() -> {
            List<CompletableFuture<?>> many = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                many.add(store.claim(newClaim(newName())).toCompletableFuture());
            }
            for (CompletableFuture<?> one : many) {
                StoreRefusedException refused = failure(StoreRefusedException.class, one);
                assertThat(refused.retryable()).isFalse();
                assertThat(refused).hasMessageContaining("script");
            }
        });
        assertThat(logged).as("who asks is told, and nobody else").doesNotContain("failed unexpectedly");
    }

    private static String logged(Runnable step) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            step.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("a database that is not there, and a wrong user")
    void noDatabase() {
        StoreRefusedException refused =
                failure(StoreRefusedException.class, as("postgres", "nosuch").claim(newClaim(newName())));
        assertThat(refused.retryable()).isFalse();
        refused = failure(StoreRefusedException.class, as("nobody", "postgres").claim(newClaim(newName())));
        assertThat(refused.retryable()).isFalse();
        assertThat(refused).hasMessageNotContaining(PASSWORD);
    }

    @ParameterizedTest
    @CsvSource({"nobody, postgres", "postgres, nosuch"})
    @DisplayName(
            "a wrong user or database is told at once, by a claim that waits, too, and nothing is given back on closing")
    void isToldAtOnce(String user, String database) {
        String uri = POSTGRES.uri()
                .replace("user=postgres", "user=" + user + "&password=" + PASSWORD)
                .replace("/postgres?", "/" + database + "?");
        List<String> names = List.of(newName(), newName());
        String logged = logged(() -> {
            Holdfast holdfast =
                    Holdfast.builder().uri(uri).timeout(Duration.ofSeconds(60)).build();
            long start = System.nanoTime();
            for (String name : names) {
                DistributedLock lock = holdfast.lock(name);
                assertThatThrownBy(() -> lock.tryLock(50, TimeUnit.SECONDS))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageNotContaining(PASSWORD);
            }
            holdfast.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
        });
        assertThat(logged.lines().filter(line -> line.contains("could not be given back")))
                .noneMatch(line -> names.stream().anyMatch(line::contains));
    }

    @Test
    @DisplayName("closing a client that has waited for a lock leaves no warning of the pool")
    void isClosedInSilence() throws Exception {
        String name = newName();
        String pool = "holdfast-silent-" + System.nanoTime();
        String logged = logged(() -> {
            try (Holdfast holder = Holdfast.connect(POSTGRES.uri());
                    Lease lease = get(holder.lock(name).acquireAsync());
                    Holdfast holdfast = Holdfast.builder()
                            .uri(POSTGRES.uri())
                            .clientName(pool.substring(9))
                            .build()) {
                var waiting = holdfast.lock(name).acquireAsync();
                assertThatThrownBy(() -> waiting.toCompletableFuture().get(500, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class); // it listens by now
                assertThat(lease.isValid()).isTrue();
            }
        });
        assertThat(logged.lines().filter(line -> line.contains(pool))).noneMatch(line -> line.contains("broken"));
    }

    @Test
    @DisplayName("a read-only database is one to try again")
    void readOnly() throws SQLException {
        token(open(POSTGRES).claim(newClaim(newName())));
        JdbcStore store =
                opened(JdbcStore.open(POSTGRES.uri() + "&options=-c%20default_transaction_read_only=on", CONFIG));
        for (QueuePolicy policy : QueuePolicy.values()) {
            StoreRefusedException refused =
                    failure(StoreRefusedException.class, store.claim(newClaim(newName(), Mode.SHARED, policy)));
            assertThat(refused.retryable()).isTrue();
            assertThat(refused).hasMessageContaining("read-only");
        }
    }

    @Test
    @DisplayName("a server that is not there is unavailable; a store on a data source says so at once")
    void notThere() {
        JdbcStore store = opened(JdbcStore.open(
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=" + PASSWORD,
                new StoreConfig("holdfast-test", Duration.ofMillis(500))));
        StoreUnavailableException gone = failure(StoreUnavailableException.class, store.claim(newClaim(newName())));
        assertThat(gone).hasMessageNotContaining(PASSWORD);
        assertThat(store.toString() + store.description()).doesNotContain(PASSWORD);
        assertThatThrownBy(() -> JdbcStore.using(new UnreachableSource()))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> JdbcSchema.check(new UnreachableSource()))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    @DisplayName("arguments that it could not keep never get there")
    void arguments() {
        JdbcStore store = opened(JdbcStore.using(new UnreachableSource(), Database.POSTGRESQL));
        Claim claim = newClaim(newName());
        assertThatThrownBy(() -> store.claim(newClaim(""))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.claim(newClaim("x".repeat(1_025)))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.claim(newClaim("ä".repeat(513)))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.claim(claim.withLease(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.claim(claim.withLease(Duration.ofDays(100_000))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.claim(claim.withHolds(0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.latches().countDown("latch", "")).isInstanceOf(IllegalArgumentException.class);
        failure(StoreUnavailableException.class, store.claim(claim));
    }
}
