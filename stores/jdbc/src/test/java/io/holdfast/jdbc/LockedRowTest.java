package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody who locks a row and does not let go: a person with a console, or a client that stands still. */
@DisplayName("A row that somebody keeps locked")
@Timeout(120)
class LockedRowTest extends StoreTest {

    /** What has nothing to do with the row takes no longer than this. */
    private static final Duration SOON = Duration.ofSeconds(4);

    /** A store on connections that have no limits of their own for how long they wait for a row. */
    private JdbcStore onGivenSource(TestDatabase database) {
        CountingSource source = opened(new CountingSource(database));
        return opened(JdbcStore.using(source.source(), database.database()));
    }

    private List<Claim> granted(JdbcStore store, Mode mode, int many) {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            Claim claim = newClaim(newName(), mode, QueuePolicy.BARGES);
            token(store.claim(claim));
            claims.add(claim);
        }
        return claims;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("keeps no other claim from being renewed with the one that it is of, of which nothing is known")
    void isPassedByRenewals(TestDatabase database) throws Exception {
        JdbcStore store = onGivenSource(database);
        List<Claim> claims = granted(store, Mode.EXCLUSIVE, 100);
        claims.addAll(granted(store, Mode.SHARED, 70));
        claims.addAll(granted(store, Mode.PERMITS, 3));
        Claim gone = newClaim(newName());
        claims.add(gone);
        List<Claim> stuck = List.of(claims.get(42), claims.get(142), claims.get(171));
        Map<String, ClaimStatus> statuses = new HashMap<>();
        claims.forEach(
                claim -> statuses.put(claim.id(), stuck.contains(claim) ? ClaimStatus.UNKNOWN : ClaimStatus.HELD));
        statuses.remove(gone.id());
        try (LockedRow one = LockedRow.of(database, stuck.get(0));
                LockedRow two = LockedRow.of(database, stuck.get(1));
                LockedRow three = LockedRow.of(database, stuck.get(2))) {
            assertThat(get(store.renew(claims))).isEqualTo(statuses);
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(get(store.renew(claims))).isEqualTo(statuses);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("for rows that are known to be locked, nobody waits for a second each time")
                    .isLessThan(Duration.ofSeconds(15));
            for (Claim claim : stuck) {
                assertThat(failure(StoreRefusedException.class, store.renew(List.of(claim)))
                                .retryable())
                        .isTrue();
            }
        }
        stuck.forEach(claim -> statuses.put(claim.id(), ClaimStatus.HELD));
        Map<String, ClaimStatus> after = get(store.renew(claims));
        while (after.containsValue(ClaimStatus.UNKNOWN)) { // until they are tried again, by themselves
            after = get(store.renew(claims));
        }
        assertThat(after).isEqualTo(statuses);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("costs a client no lock but the one that it is of, and not that one if it is let go in time")
    void costsNoOtherLock(TestDatabase database) throws Exception {
        Duration leases = Duration.ofSeconds(8);
        try (Holdfast client =
                Holdfast.builder().store(open(database)).lease(leases).build()) {
            List<Lease> others = new ArrayList<>();
            Lease letGo = client.lock(newName()).acquire();
            Lease kept = client.lock(newName()).acquire();
            for (int i = 0; i < 5; i++) {
                others.add(client.lock(newName()).acquire());
                others.add(client.readWriteLock(newName()).readLock().acquire());
                others.add(client.fairLock(newName()).acquire());
            }
            long start = System.nanoTime();
            try (LockedRow first = LockedRow.of(database, newClaim(letGo.name()));
                    LockedRow second = LockedRow.of(database, newClaim(kept.name()))) {
                areHeld(others, start + leases.toNanos() / 2); // they were to be renewed after a third
                first.close();
                others.add(letGo);
                areHeld(others, start + leases.toNanos() * 7 / 4);
                assertThat(kept.isValid())
                        .as("the one whose row is locked for longer than its lease")
                        .isFalse();
            }
            others.forEach(Lease::close);
        }
    }

    private static void areHeld(List<Lease> leases, long until) throws InterruptedException {
        while (System.nanoTime() - until < 0) {
            assertThat(leases).allMatch(Lease::isValid);
            Thread.sleep(20);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("holds up no other command, however often a claim and a release of it are sent")
    void holdsUpNoOtherCommand(TestDatabase database) throws Exception {
        JdbcStore store = onGivenSource(database);
        Claim held = granted(store, Mode.EXCLUSIVE, 1).get(0);
        Claim claim = newClaim(newName(), Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        Claim holder = newClaim(claim.name());
        token(store.claim(holder));
        List<CompletableFuture<ClaimResult>> claimed = new ArrayList<>();
        List<CompletableFuture<ReleaseResult>> released = new ArrayList<>();
        try (LockedRow one = LockedRow.of(database, held);
                LockedRow two = LockedRow.of(database, claim)) {
            for (int i = 0; i < 10; i++) {
                claimed.add(store.claim(claim).toCompletableFuture());
                released.add(store.release(held).toCompletableFuture());
            }
            for (int i = 0; i < 10; i++) {
                Claim other = newClaim(newName());
                assertThat(store.claim(other)).succeedsWithin(SOON).isInstanceOf(ClaimResult.Granted.class);
                assertThat(store.release(other)).succeedsWithin(SOON).isEqualTo(new ReleaseResult(true, false));
            }
            assertThat(claimed).noneMatch(CompletableFuture::isDone);
            assertThat(released).noneMatch(CompletableFuture::isDone);
        }
        for (CompletableFuture<ClaimResult> one : claimed) {
            assertThat(get(one)).isInstanceOf(ClaimResult.Busy.class);
        }
        for (CompletableFuture<ReleaseResult> one : released) {
            assertThat(get(one).held()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("has a command told in the client's time-out that it may be tried again")
    void isToldInTime(TestDatabase database) throws Exception {
        JdbcStore store =
                opened(JdbcStore.open(database.uri(), new StoreConfig("holdfast-test", Duration.ofSeconds(1))));
        JdbcStore other = open(database);
        Claim free = newClaim(newName());
        token(other.claim(free));
        get(other.release(free)); // a busy one is told from what the row shows
        get(store.inspect(free.resource())); // connected
        try (LockedRow row = LockedRow.of(database, free)) {
            for (QueuePolicy policy : QueuePolicy.values()) {
                long start = System.nanoTime();
                StoreRefusedException refused = failure(
                        StoreRefusedException.class, store.claim(newClaim(free.name(), Mode.EXCLUSIVE, policy)));
                assertThat(refused.retryable()).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "is not waited for by a claim that finds the lock busy, so that claims and releases don't queue for the row")
    void isNotWaitedForByABusyClaim(TestDatabase database) throws Exception {
        JdbcStore store = open(database);
        Claim holder = newClaim(newName());
        token(store.claim(holder));
        assertThat(isGranted(store.claim(newClaim(holder.name())))).isFalse(); // now it is known to be busy
        try (LockedRow row = LockedRow.of(database, holder)) {
            for (int i = 0; i < 3; i++) {
                assertThat(isGranted(store.claim(newClaim(holder.name())))).isFalse();
            }
        }
        get(store.release(holder));
        Claim next = newClaim(holder.name());
        token(store.claim(next));
        get(store.release(next));
    }
}
