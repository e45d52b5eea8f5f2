package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("In round trips,")
@Isolated("counts commands")
class CostTest extends StoreTest {

    private CountingSource counting;

    private JdbcStore counted(TestDatabase database) {
        counting = opened(new CountingSource(database));
        JdbcStore store = opened(JdbcStore.using(counting.source(), database.database()));
        get(store.inspect(Resource.lock(newName()))); // the tables are there and known
        counting.sent().clear();
        return store;
    }

    private int cost(Runnable step) {
        counting.sent().clear();
        step.run();
        assertThat(counting.connectionsOut())
                .as("connections that are still out")
                .isZero();
        return counting.sent().size();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a free lock costs one, new or not, fair or not, and giving it back one")
    void freeLock(TestDatabase database) {
        JdbcStore store = counted(database);
        String name = newName();
        for (QueuePolicy policy : QueuePolicy.values()) {
            Claim claim = newClaim(name, Mode.EXCLUSIVE, policy);
            assertThat(cost(() -> token(store.claim(claim))))
                    .as(policy + ": claim")
                    .isEqualTo(1);
            assertThat(cost(() -> token(store.claim(claim)))).as("once more").isEqualTo(1);
            assertThat(cost(() -> get(store.renew(List.of(claim))))).as("renew").isEqualTo(1);
            assertThat(cost(() -> get(store.release(claim)))).as("release").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a busy lock costs one, or two on H2, which is in this process")
    void busyLock(TestDatabase database) {
        JdbcStore store = counted(database);
        String name = newName();
        token(store.claim(newClaim(name)));
        assertThat(cost(() -> assertThat(isGranted(store.claim(newClaim(name)))).isFalse()))
                .isEqualTo(database == TestDatabase.H2 ? 2 : 1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a lock that others share costs a plain claim one look more than finding out who they are")
    void sharedLock(TestDatabase database) {
        JdbcStore store = counted(database);
        String name = newName();
        token(store.claim(newClaim(name, Mode.SHARED, QueuePolicy.BARGES)));
        int inLine = transaction(database) + 3;
        int plainly = database == TestDatabase.H2 ? 2 : 1;
        assertThat(cost(() -> assertThat(isGranted(store.claim(newClaim(name)))).isFalse()))
                .isEqualTo(plainly + inLine);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("renewing many costs as much as renewing two")
    void renewals(TestDatabase database) {
        JdbcStore store = counted(database);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Claim claim = newClaim(newName());
            token(store.claim(claim));
            claims.add(claim);
        }
        assertThat(cost(() -> assertThat(get(store.renew(claims)))
                        .hasSize(50)
                        .allSatisfy((id, status) -> assertThat(status).isEqualTo(ClaimStatus.HELD))))
                .isEqualTo(transaction(database) + 2);
    }

    /** On H2, a transaction has to say whose it is. */
    private static int transaction(TestDatabase database) {
        return database == TestDatabase.H2 ? 1 : 0;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("permits and shared locks cost a few, however many others there are")
    void others(TestDatabase database) {
        JdbcStore store = counted(database);
        for (Mode mode : List.of(Mode.SHARED, Mode.PERMITS)) {
            String name = newName();
            token(store.claim(newClaim(name, mode, QueuePolicy.BARGES)));
            Claim claim = newClaim(name, mode, QueuePolicy.BARGES);
            assertThat(cost(() -> token(store.claim(claim))))
                    .as(mode + ": claim")
                    .isLessThanOrEqualTo(6);
            assertThat(cost(() -> get(store.renew(List.of(claim))))).as("renew").isLessThanOrEqualTo(5);
            assertThat(cost(() -> get(store.release(claim)))).as("release").isLessThanOrEqualTo(6);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("lock() and unlock() cost two, and no connection is out while the lock is held")
    void throughTheApi(TestDatabase database) {
        JdbcStore store = counted(database);
        try (Holdfast holdfast = Holdfast.builder().store(store).build()) {
            int all = cost(() -> {
                try (Lease lease = get(holdfast.lock(newName()).acquireAsync())) {
                    assertThat(lease.isValid()).isTrue();
                    assertThat(counting.sent()).hasSize(1);
                    assertThat(counting.connectionsOut()).isZero();
                }
            });
            assertThat(all).isEqualTo(2);
        }
    }
}
