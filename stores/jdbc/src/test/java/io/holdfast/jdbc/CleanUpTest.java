package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Rows")
@Isolated("makes all rows old, those of other tests too")
class CleanUpTest extends StoreTest {

    private static final long DAY = TimeUnit.DAYS.toMicros(1);

    private static void clean(JdbcStore store) {
        // Once around: it goes page by page.
        for (int i = 0; i < 8; i++) {
            get(store.clean(Cleaner.KEPT));
        }
    }

    private static long rows(TestDatabase database, String name) throws SQLException {
        return database.number("SELECT COUNT(*) FROM holdfast_lock WHERE name = " + database.literal(name));
    }

    private static void age(TestDatabase database, String name, long micros) throws SQLException {
        database.execute(
                "UPDATE holdfast_lock SET used_at = used_at - " + micros + " WHERE name = " + database.literal(name));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("of a lock go a day after it was used, and tokens go on rising even if the clock is set back")
    void ofALock(TestDatabase database) throws SQLException {
        JdbcStore store = open(database);
        String old = newName();
        String fresh = newName();
        String held = newName();
        Claim holder = newClaim(held);
        get(store.claim(holder));
        long token = 0;
        for (String name : new String[] {old, fresh}) {
            Claim claim = newClaim(name);
            token = token(store.claim(claim));
            get(store.release(claim));
        }
        age(database, old, 2 * DAY);
        age(database, held, 2 * DAY);
        clean(store);
        assertThat(rows(database, old)).isZero();
        assertThat(rows(database, fresh)).isEqualTo(1);
        assertThat(rows(database, held)).isEqualTo(1);
        assertThat(get(store.release(holder)).held()).isTrue();
        assertThat(token(store.claim(newClaim(old)))).isGreaterThan(token);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("that are gone leave a token that others begin above, whatever the clock says")
    void leaveAToken(TestDatabase database) throws SQLException {
        JdbcStore store = open(database);
        Claim claim = newClaim(newName());
        get(store.claim(claim));
        get(store.release(claim));
        long floor = database.number("SELECT token_floor FROM holdfast_schema");
        long ahead =
                database.number("SELECT last_token FROM holdfast_lock WHERE name = " + database.literal(claim.name()))
                        + TimeUnit.HOURS.toMicros(1);
        database.execute("UPDATE holdfast_schema SET token_floor = " + ahead);
        try {
            assertThat(token(store.claim(newClaim(newName())))).isGreaterThan(ahead);
            assertThat(token(store.claim(newClaim(newName(), Mode.SHARED, QueuePolicy.BARGES))))
                    .isGreaterThan(ahead);
        } finally {
            database.execute("UPDATE holdfast_schema SET token_floor = " + floor);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("of a dead client that queued are taken out, and those of the living stay")
    void ofTheDead(TestDatabase database) throws SQLException {
        JdbcStore store = open(database);
        String name = newName();
        Claim holder = newClaim(name);
        get(store.claim(holder));
        Claim dead = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        Claim living = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        get(store.claim(dead));
        get(store.claim(living));
        get(store.release(holder));
        database.execute("UPDATE holdfast_claim SET ends_at = 1 WHERE id = '" + dead.id() + "'");
        // However long this takes, the living one's place does not end meanwhile.
        database.execute("UPDATE holdfast_claim SET ends_at = ends_at + " + DAY + " WHERE id = '" + living.id() + "'");
        age(database, name, 2 * DAY);
        clean(store);
        assertThat(database.number("SELECT COUNT(*) FROM holdfast_claim WHERE name = " + database.literal(name)))
                .isEqualTo(1);
        assertThat(token(store.claim(living))).isPositive();
        assertThat(database.number("SELECT others FROM holdfast_lock WHERE name = " + database.literal(name)))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("of a semaphore and of a latch go with what was counted on them")
    void ofCounts(TestDatabase database) throws SQLException {
        JdbcStore store = open(database);
        String name = newName();
        get(store.addPermits(name, "a", 2, 3));
        get(store.latches().set(name, "latch", 5));
        get(store.latches().countDown(name, "a"));
        clean(store);
        assertThat(get(store.addPermits(name, "a", 2, 3))).isEqualTo(5);
        assertThat(get(store.latches().countDown(name, "a")).count()).isEqualTo(4);
        age(database, name, 2 * DAY);
        assertThat(get(store.inspect(Resource.semaphore(name))).permits()).isEqualTo(-1);
        database.execute(
                "UPDATE holdfast_latch SET used_at = used_at - " + 8 * DAY + " WHERE name = " + database.literal(name));
        assertThat(get(store.latches().look(name))).isEqualTo(LatchState.NONE);
        clean(store);
        assertThat(rows(database, name)).isZero();
        assertThat(database.number("SELECT COUNT(*) FROM holdfast_latch WHERE name = " + database.literal(name)))
                .isZero();
        assertThat(database.number("SELECT COUNT(*) FROM holdfast_change WHERE name = " + database.literal(name)))
                .isZero();
        assertThat(get(store.addPermits(name, "a", 2, 3))).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("of many names go a bounded number at a time")
    void ofMany(TestDatabase database) throws SQLException {
        JdbcStore store = open(database);
        String prefix = newName() + ":";
        for (int i = 0; i < 700; i++) {
            get(store.claim(newClaim(prefix + i).withLease(Duration.ofMillis(1))));
        }
        // And no others: tests that keep rows locked run beside this one.
        database.execute("UPDATE holdfast_lock SET used_at = used_at - " + 2 * DAY + " WHERE kind = 0 AND name >= "
                + database.literal(prefix) + " AND name < " + database.literal(prefix + "~"));
        int most = 0;
        int all = 0;
        for (int i = 0; i < 20; i++) {
            int removed = get(store.clean(Cleaner.KEPT));
            most = Math.max(most, removed);
            all += removed;
        }
        assertThat(most).isLessThanOrEqualTo(800);
        assertThat(all).isGreaterThanOrEqualTo(700);
        assertThat(get(store.list(ResourceType.LOCK, prefix, 1_000))).isEmpty();
    }

    @Test
    @DisplayName("are all looked at within hours, however many are in use: the next page soon, and a pause at the end")
    void ofManyInUse() {
        JdbcStore store = opened(JdbcStore.open("jdbc:h2:mem:" + client + ";DB_CLOSE_DELAY=-1", CONFIG));
        for (int i = 0; i < 1_200; i++) {
            get(store.claim(newClaim("in-use:" + i)));
        }
        Duration soon = Duration.ofSeconds(10);
        int pages = 0;
        do {
            assertThat(get(store.clean(Cleaner.KEPT))).isZero();
            pages++;
        } while (store.untilCleanUp().compareTo(soon) < 0);
        assertThat(pages).as("pages of 500 locks, and one of semaphores").isEqualTo(4);
    }
}
