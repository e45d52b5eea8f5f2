package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Resource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The tables")
@Isolated("drops the tables that the other tests use")
class SchemaTest extends StoreTest {

    private static final List<String> TABLES = List.of(
            "holdfast_schema",
            "holdfast_lock",
            "holdfast_claim",
            "holdfast_latch",
            "holdfast_change",
            "holdfast_watch");

    private static void drop(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute("DROP TABLE IF EXISTS " + table);
            }
        }
    }

    private DataSource source(TestDatabase database) {
        return opened(new CountingSource(database)).source();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("are made by whoever comes first, also when many come at once")
    void areMadeByMany(TestDatabase database) throws SQLException {
        for (int round = 0; round < 3; round++) {
            drop(database);
            String name = newName();
            List<CompletableFuture<Boolean>> granted = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                JdbcStore store = open(database);
                granted.add(CompletableFuture.supplyAsync(() -> isGranted(store.claim(newClaim(name)))));
            }
            assertThat(granted.stream().filter(CompletableFuture::join)).hasSize(1);
            closeQuietly();
        }
        JdbcSchema.check(source(database));
    }

    @Test
    @DisplayName("are made by many at once though H2 answers that with a general error")
    void areMadeByManyOnH2() throws SQLException {
        DataSource source = source(TestDatabase.H2);
        for (int round = 0; round < 40; round++) {
            drop(TestDatabase.H2);
            List<CompletableFuture<Void>> made = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                made.add(CompletableFuture.runAsync(() -> JdbcSchema.create(source), run -> new Thread(run).start()));
            }
            made.forEach(CompletableFuture::join);
        }
        JdbcSchema.check(source);
    }

    private void closeQuietly() {
        try {
            closeWhatWasOpened();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("are checked without being made")
    void areChecked(TestDatabase database) throws SQLException {
        drop(database);
        DataSource source = source(database);
        assertThatThrownBy(() -> JdbcSchema.check(source))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("no tables");
        assertThatThrownBy(() -> JdbcSchema.check(source)).isInstanceOf(StoreRefusedException.class);
        JdbcSchema.create(source);
        JdbcSchema.create(source);
        JdbcSchema.check(source);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("can be made with the script, again and again")
    void areMadeByTheScript(TestDatabase database) throws SQLException {
        drop(database);
        for (int i = 0; i < 2; i++) {
            for (String statement : Schema.statements(JdbcSchema.script(database.database()))) {
                database.execute(statement);
            }
        }
        JdbcSchema.check(source(database));
        JdbcStore store = open(database);
        assertThat(isGranted(store.claim(newClaim(newName())))).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("of another version are refused")
    void ofAnotherVersion(TestDatabase database) throws SQLException {
        open(database);
        JdbcSchema.create(source(database));
        database.execute("UPDATE holdfast_schema SET version = 99");
        try {
            StoreRefusedException refused =
                    failure(StoreRefusedException.class, open(database).inspect(Resource.lock(newName())));
            assertThat(refused).hasMessageContaining("99");
            assertThat(refused.retryable()).isFalse();
            assertThatThrownBy(() -> JdbcSchema.check(source(database))).hasMessageContaining("99");
        } finally {
            database.execute("UPDATE holdfast_schema SET version = 1");
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("that are dropped under a store are made again, and tokens go on rising")
    void thatAreDropped(TestDatabase database) throws SQLException {
        JdbcStore store = open(database);
        String name = newName();
        long token = token(store.claim(newClaim(name)));
        drop(database);
        assertThat(token(store.claim(newClaim(name)))).isGreaterThan(token);
    }
}
