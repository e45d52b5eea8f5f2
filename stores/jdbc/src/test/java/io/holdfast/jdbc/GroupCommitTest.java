package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.tck.HintListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What many threads of one client ask of PostgreSQL at once. */
@DisplayName("Commands that come at once")
@Timeout(60)
class GroupCommitTest extends StoreTest {

    private static final int MANY = 30;

    private CountingSource source;
    private JdbcStore store;
    private JdbcStore other;

    @BeforeEach
    void open() {
        source = opened(new CountingSource(TestDatabase.POSTGRES));
        store = opened(JdbcStore.using(source.source(), Database.POSTGRESQL));
        other = open(TestDatabase.POSTGRES);
        get(store.inspect(Resource.lock(newName()))); // the tables are there and known
        get(other.inspect(Resource.lock(newName())));
    }

    /** Runs the commands while others are on their way, so that they gather; their answers are in the same order. */
    private <T> List<CompletableFuture<T>> gathered(List<Claim> claims, Function<Claim, CompletableFuture<T>> command)
            throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        List<CompletableFuture<?>> first = underWay(gate);
        List<CompletableFuture<T>> answers = new ArrayList<>();
        claims.forEach(claim -> answers.add(command.apply(claim)));
        source.sent().clear();
        source.before(() -> {});
        gate.countDown();
        for (CompletableFuture<?> one : first) {
            get(one);
        }
        return answers;
    }

    /** Sends commands until those that come after them gather: the first may go by itself, but no other. */
    private List<CompletableFuture<?>> underWay(CountDownLatch gate) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        AtomicBoolean together = new AtomicBoolean();
        while (!together.get()) {
            CountDownLatch onItsWay = new CountDownLatch(1);
            source.sent().clear();
            source.before(() -> {
                together.compareAndSet(
                        false, source.sent().stream().anyMatch(statement -> statement.contains("unnest")));
                onItsWay.countDown();
                await(gate);
            });
            all.add(store.claim(newClaim(newName())).toCompletableFuture());
            await(onItsWay);
        }
        return all;
    }

    private List<CompletableFuture<ClaimResult>> claimed(List<Claim> claims) throws Exception {
        return gathered(claims, claim -> store.claim(claim).toCompletableFuture());
    }

    private List<CompletableFuture<ReleaseResult>> released(List<Claim> claims) throws Exception {
        return gathered(claims, claim -> store.release(claim).toCompletableFuture());
    }

    /** Claims those that are new and releases the others, alternately, so that they gather. */
    private List<CompletableFuture<Object>> changed(List<Claim> held, List<Claim> wanted) throws Exception {
        List<Claim> all = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            all.add(held.get(i));
            all.add(wanted.get(i));
        }
        return gathered(
                all,
                claim -> (held.contains(claim) ? store.release(claim) : store.claim(claim))
                        .toCompletableFuture()
                        .thenApply(Object.class::cast));
    }

    private List<Claim> heldClaims() throws Exception {
        List<Claim> held = newClaims();
        for (CompletableFuture<ClaimResult> one : claimed(held)) {
            token(one);
        }
        return held;
    }

    private void areChanged(List<Claim> held, List<Claim> wanted, List<CompletableFuture<Object>> answers) {
        for (int i = 0; i < MANY; i++) {
            assertThat(get(answers.get(2 * i))).isEqualTo(new ReleaseResult(true, false));
            assertThat(get(answers.get(2 * i + 1)))
                    .isInstanceOfSatisfying(
                            ClaimResult.Granted.class,
                            granted -> assertThat(granted.token()).isPositive());
            assertThat(get(other.inspect(Resource.lock(held.get(i).name()))).isLocked())
                    .isFalse();
            assertThat(get(other.inspect(Resource.lock(wanted.get(i).name()))).holders())
                    .hasSize(1);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Claim> newClaims() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            claims.add(newClaim(newName()));
        }
        return claims;
    }

    private long sent(String text) {
        return source.sent().stream()
                .filter(statement -> statement.contains(text) && statement.contains("unnest"))
                .count();
    }

    @Test
    @DisplayName("go together, and each has its own answer")
    void goTogether() throws Exception {
        List<Claim> claims = newClaims();
        for (int round = 0; round < 2; round++) {
            List<Long> tokens = new ArrayList<>();
            for (CompletableFuture<ClaimResult> one : claimed(claims)) {
                tokens.add(token(one));
            }
            assertThat(sent("INSERT")).as("statements").isBetween(1L, 2L);
            for (int i = 0; i < MANY; i++) {
                assertThat(get(other.inspect(Resource.lock(claims.get(i).name())))
                                .holders())
                        .singleElement()
                        .satisfies(holder -> assertThat(holder.host()).isEqualTo(OWNER.host()))
                        .extracting(holder -> holder.token())
                        .isEqualTo(tokens.get(i));
            }
            for (CompletableFuture<ReleaseResult> one : released(claims)) {
                assertThat(get(one)).isEqualTo(new ReleaseResult(true, false));
            }
            assertThat(sent("UPDATE")).as("statements").isBetween(1L, 2L);
            for (int i = 0; i < MANY; i++) {
                assertThat(token(other.claim(newClaim(claims.get(i).name()))))
                        .as("the next token")
                        .isGreaterThan(tokens.get(i) + 9);
                get(other.forceRelease(Resource.lock(claims.get(i).name()), OptionalLong.empty()));
            }
        }
    }

    @Test
    @DisplayName(
            "go in two statements if some of them take locks, which waits for the disk, and others give theirs back")
    void areMixed() throws Exception {
        List<Claim> held = heldClaims();
        List<Claim> wanted = newClaims();
        List<CompletableFuture<Object>> answers = changed(held, wanted);
        areChanged(held, wanted, answers);
        assertThat(source.sent().stream().filter(statement -> statement.contains("holdfast_lock AS l")))
                .as("statements")
                .hasSize(2)
                .allMatch(statement -> statement.contains("unnest"));
    }

    @Test
    @DisplayName("go one after the other if they are about the same lock")
    void ofOneLock() throws Exception {
        List<Claim> held = heldClaims();
        List<Claim> wanted = held.stream().map(claim -> newClaim(claim.name())).toList();
        List<CompletableFuture<Object>> answers = changed(held, wanted);
        for (int i = 0; i < MANY; i++) {
            assertThat(get(answers.get(2 * i))).isEqualTo(new ReleaseResult(true, false));
            assertThat(get(answers.get(2 * i + 1))).isInstanceOf(ClaimResult.Granted.class);
        }
        assertThat(source.sent().stream().filter(statement -> statement.contains("INSERT INTO holdfast_lock")))
                .as("statements")
                .hasSizeBetween(2, 3)
                .allMatch(statement -> statement.contains("unnest"));
    }

    @Test
    @DisplayName("are on disk before they are answered, unless all of them give back what would soon end")
    void areOnDisk() throws Exception {
        Claim brief = newClaim(newName());
        Claim lasting = newClaim(newName()).withLease(Duration.ofHours(1));
        for (Claim claim : List.of(brief, lasting)) {
            token(store.claim(claim));
        }
        assertThat(commitAfter(List.of(), List.of(brief))).isEqualTo("off");
        assertThat(commitAfter(List.of(), List.of(brief, lasting))).isEqualTo("on");
        assertThat(commitAfter(List.of(newClaim(newName())), List.of(brief))).isEqualTo("on");
    }

    /** How the transaction would be committed in which these are claimed and released; it is undone. */
    private String commitAfter(List<Claim> claims, List<Claim> releases) throws SQLException {
        try (Connection connection = source.open();
                Statement look = connection.createStatement()) {
            connection.setAutoCommit(false);
            try {
                Dialect.Changed changed = new PostgresDialect().changeAll(connection, claims, releases, "me");
                assertThat(changed.claimed()).hasSize(claims.size());
                assertThat(changed.freed()).hasSize(releases.size());
                try (ResultSet row = look.executeQuery("SHOW synchronous_commit")) {
                    row.next();
                    return row.getString(1);
                }
            } finally {
                connection.rollback();
            }
        }
    }

    @Test
    @DisplayName("find their locks by name, even by a plan that was made when there were few")
    void byName() throws Exception {
        List<Claim> claims = newClaims();
        for (boolean claiming : new boolean[] {true, false}) {
            for (CompletableFuture<?> one : claiming ? claimed(claims) : released(claims)) {
                get(one);
            }
            String text = source.sent().stream()
                    .filter(statement -> statement.contains("unnest"))
                    .findFirst()
                    .orElseThrow();
            List<String> scans = scans(text);
            assertThat(scans).isNotEmpty().allSatisfy(scan -> assertThat(scan).containsPattern("Index Cond:.*name = "));
        }
    }

    /** How a statement reads the locks, if its plan is made now and for any values. */
    private List<String> scans(String text) throws SQLException {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement()) {
            statement.execute("SET plan_cache_mode = force_generic_plan");
            String numbered = text;
            int parameters = 0;
            while (numbered.contains("?")) {
                numbered = numbered.replaceFirst("\\?", "\\$" + ++parameters);
            }
            statement.execute("PREPARE looked_at AS " + numbered);
            StringBuilder plan = new StringBuilder();
            String nulls = String.join(", ", Collections.nCopies(parameters, "NULL"));
            try (ResultSet row = statement.executeQuery("EXPLAIN EXECUTE looked_at (" + nulls + ")")) {
                while (row.next()) {
                    plan.append(row.getString(1)).append('\n');
                }
            }
            statement.execute("DEALLOCATE looked_at; RESET plan_cache_mode");
            return Pattern.compile("Scan [^\n]*\\bholdfast_lock\\b[^\n]*\n[^\n]*")
                    .matcher(plan)
                    .results()
                    .map(MatchResult::group)
                    .toList();
        }
    }

    @Test
    @DisplayName("are answered as they are one by one, however the locks stand")
    void asOneByOne() throws Exception {
        Claim free = newClaim(newName());
        token(store.claim(free));
        get(store.release(free));
        Claim busy = newClaim(newName());
        token(other.claim(newClaim(busy.name())));
        Claim held = newClaim(newName());
        long itsToken = token(store.claim(held));
        Claim ended = newClaim(newName());
        long endedToken = token(other.claim(newClaim(ended.name()).withLease(Duration.ofMillis(1))));
        Claim shared = newClaim(newName());
        token(other.claim(newClaim(shared.name(), Mode.SHARED, QueuePolicy.BARGES)));
        Claim queued = newClaim(newName(), Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        token(other.claim(newClaim(queued.name())));
        Claim once = newClaim(newName());
        Claim twice = newClaim(once.name());
        List<Claim> all = List.of(free, busy, held, ended, shared, queued, once, twice);
        List<CompletableFuture<ClaimResult>> answers = claimed(all);
        assertThat(all.stream()
                        .filter(claim -> isGranted(answers.get(all.indexOf(claim))))
                        .toList())
                .contains(free, held, ended)
                .doesNotContain(busy, shared, queued)
                .hasSize(4);
        assertThat(sent("INSERT")).as("together").isPositive();
        assertThat(token(answers.get(2))).as("had already").isEqualTo(itsToken);
        assertThat(token(answers.get(3))).as("after one that ended").isGreaterThan(endedToken + 9);
        assertThat(get(other.inspect(Resource.lock(queued.name()))).waiters()).hasSize(1);

        List<CompletableFuture<ReleaseResult>> ends = released(all);
        assertThat(all.stream()
                        .filter(claim -> get(ends.get(all.indexOf(claim))).held())
                        .toList())
                .contains(free, held, ended)
                .doesNotContain(busy, shared, queued)
                .hasSize(4);
        assertThat(get(other.inspect(Resource.lock(queued.name()))).waiters()).isEmpty();
        assertThat(get(other.inspect(Resource.lock(busy.name()))).holders()).hasSize(1);
        assertThat(get(other.inspect(Resource.lock(held.name()))).isLocked()).isFalse();
    }

    @Test
    @DisplayName("do not wait for a lock that one of them needs and somebody is changing")
    void passALockedRow() throws Exception {
        List<Claim> claims = newClaims();
        for (CompletableFuture<ClaimResult> one : claimed(claims)) {
            token(one);
        }
        Claim stuck = claims.get(7);
        for (boolean claiming : new boolean[] {false, true}) {
            List<? extends CompletableFuture<?>> answers;
            try (Connection connection = source.open()) {
                connection.setAutoCommit(false);
                try (PreparedStatement lock = connection.prepareStatement(
                        "SELECT 1 FROM holdfast_lock WHERE kind = 0 AND name = ? FOR UPDATE")) {
                    lock.setBytes(1, Key.bytes(stuck.name()));
                    lock.execute();
                    answers = claiming ? claimed(claims) : released(claims);
                    for (int i = 0; i < MANY; i++) {
                        if (i != 7) {
                            get(answers.get(i));
                        }
                    }
                    assertThat(answers.get(7)).isNotDone();
                } finally {
                    connection.rollback();
                }
            }
            get(answers.get(7));
        }
    }

    @Test
    @DisplayName("do not wait for a lock that others of them need, be it to take it or to give it back")
    void passALockedRowWhenMixed() throws Exception {
        for (boolean claiming : new boolean[] {false, true}) {
            List<Claim> held = heldClaims();
            List<Claim> wanted = newClaims();
            for (Claim claim : wanted) { // so that it has a row
                token(other.claim(claim));
                get(other.release(claim));
            }
            int stuck = claiming ? 7 : 8; // they alternate
            List<CompletableFuture<Object>> answers;
            try (LockedRow row =
                    LockedRow.of(TestDatabase.POSTGRES, claiming ? wanted.get(stuck / 2) : held.get(stuck / 2))) {
                answers = changed(held, wanted);
                for (int i = 0; i < 2 * MANY; i++) {
                    if (i != stuck) {
                        get(answers.get(i));
                    }
                }
                assertThat(answers.get(stuck)).isNotDone();
            }
            areChanged(held, wanted, answers);
        }
    }

    @Test
    @DisplayName("whose answer is lost are sent again, and what they did before counts")
    void loseTheirAnswer() throws Exception {
        List<Claim> claims = newClaims();
        source.loseAnswerTo("unnest");
        for (CompletableFuture<ClaimResult> one : claimed(claims)) {
            token(one);
        }
        source.loseAnswerTo("unnest");
        for (CompletableFuture<ReleaseResult> one : released(claims)) {
            assertThat(get(one).held()).isTrue();
        }
        for (Claim claim : claims) {
            assertThat(get(other.inspect(Resource.lock(claim.name()))).isLocked())
                    .isFalse();
        }
        List<Claim> held = heldClaims();
        List<Claim> wanted = newClaims();
        source.loseAnswerTo("unnest");
        areChanged(held, wanted, changed(held, wanted));
    }

    @Test
    @DisplayName("whose row is removed under them leave one from which tokens go on rising")
    void keepTheLastToken() throws Exception {
        Claim claim = newClaim(newName());
        String row = " FROM holdfast_lock WHERE name = " + TestDatabase.POSTGRES.literal(claim.name());
        long last;
        do { // again if the release did not wait for as long as it takes to see that it waits
            token(store.claim(claim));
            last = TestDatabase.POSTGRES.number("SELECT last_token" + row);
            releaseAndRemove(claim);
        } while (TestDatabase.POSTGRES.number("SELECT COUNT(*)" + row) == 0);
        assertThat(TestDatabase.POSTGRES.number("SELECT last_token" + row)).isEqualTo(last);
        assertThat(get(other.inspect(Resource.lock(claim.name()))).isLocked()).isFalse();
        assertThat(token(other.claim(newClaim(claim.name())))).isGreaterThan(last);
    }

    /** Has the row removed by another transaction, which ends while the release waits for it. */
    private void releaseAndRemove(Claim claim) throws Exception {
        try (Connection removing = source.open();
                Connection releasing = source.open();
                Connection looking = source.open();
                Statement remove = removing.createStatement();
                PreparedStatement look = looking.prepareStatement(
                        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%unnest%'")) {
            removing.setAutoCommit(false);
            remove.execute("DELETE FROM holdfast_lock WHERE name = " + TestDatabase.POSTGRES.literal(claim.name()));
            CompletableFuture<?> released = CompletableFuture.runAsync(() -> {
                try {
                    assertThat(new PostgresDialect()
                                    .changeAll(releasing, List.of(), List.of(claim), "me")
                                    .freed())
                            .isEmpty();
                } catch (SQLException e) {
                    assertThat(e.getSQLState()).isEqualTo("55P03");
                }
            });
            while (!released.isDone() && !look.executeQuery().next()) {
                Thread.onSpinWait();
            }
            removing.commit();
            get(released);
        }
    }

    @Test
    @DisplayName("wake those who watch, each for its own lock")
    void wakeWatchers() throws Exception {
        List<Claim> claims = newClaims();
        for (int i = 0; i < 3; i++) { // names that have every sort of character in a message, and fill several lines
            claims.set(i, newClaim(newName() + "\u00e9".repeat(i) + "~~~???".repeat(50)));
        }
        for (CompletableFuture<ClaimResult> one : claimed(claims)) {
            token(one);
        }
        Map<String, CompletableFuture<Void>> heard = new ConcurrentHashMap<>();
        List<String> watched = claims.stream().map(Claim::name).limit(3).toList();
        for (String name : watched) {
            CompletableFuture<Void> inPlace = new CompletableFuture<>();
            heard.put(name, inPlace);
            other.watch(Resource.lock(name), () -> heard.get(name).complete(null));
            get(inPlace);
            heard.put(name, new CompletableFuture<>());
        }
        List<CompletableFuture<ReleaseResult>> ends = released(claims);
        for (int i = 0; i < MANY; i++) {
            assertThat(get(ends.get(i)).contended()).as("lock " + i).isEqualTo(i < 3);
        }
        for (String name : watched) {
            get(heard.get(name));
        }
    }

    @Test
    @DisplayName("call the holder that yields, and no other")
    void callWhoYields() throws Exception {
        BlockingQueue<String> called = new LinkedBlockingQueue<>();
        other.subscribe(client, new HintListener(called::add, () -> called.add("")));
        assertThat(called.poll(20, TimeUnit.SECONDS)).as("in place").isEmpty();
        List<Claim> claims = newClaims();
        Claim yielding = newClaim(claims.get(3).name()).asRevocable();
        Claim firm = newClaim(claims.get(4).name());
        token(other.claim(yielding));
        token(other.claim(firm));
        List<CompletableFuture<ClaimResult>> answers = claimed(claims);
        for (int i = 0; i < MANY; i++) {
            assertThat(isGranted(answers.get(i))).as("lock " + i).isEqualTo(i != 3 && i != 4);
        }
        assertThat(called.poll(20, TimeUnit.SECONDS)).isEqualTo(yielding.id());
        assertThat(called).doesNotContain(firm.id());
    }

    @Test
    @DisplayName("and are still gathering when the store is closed fail")
    void closed() throws Exception {
        List<Claim> held = heldClaims();
        CountDownLatch gate = new CountDownLatch(1);
        source.before(() -> await(gate));
        List<CompletableFuture<?>> answers = new ArrayList<>();
        newClaims().forEach(claim -> answers.add(store.claim(claim).toCompletableFuture()));
        held.forEach(claim -> answers.add(store.release(claim).toCompletableFuture()));
        Thread closing = new Thread(store::close);
        closing.start();
        closing.join(500);
        gate.countDown();
        closing.join();
        for (CompletableFuture<?> one : answers) {
            try {
                one.get(20, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
            } catch (TimeoutException e) {
                throw new AssertionError("never answered", e);
            }
        }
    }
}
