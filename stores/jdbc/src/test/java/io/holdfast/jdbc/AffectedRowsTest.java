package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** As with {@code useAffectedRows}, where a row that is not really changed has no key. */
@DisplayName("MariaDB whose driver gives no keys")
class AffectedRowsTest extends StoreTest {

    @Test
    @DisplayName("is not asked for the number of its session, which a proxy may have taken from another one")
    void asksForTheRow() {
        CountingSource counting = opened(new CountingSource(TestDatabase.MARIA));
        JdbcStore store = opened(JdbcStore.using(counting.source(), Database.MYSQL));
        counting.giveNoKeys();
        Claim holder = newClaim(newName());
        long token = token(store.claim(holder));
        assertThat(token(store.claim(holder))).isEqualTo(token);
        for (int i = 0; i < 3; i++) {
            assertThat(isGranted(store.claim(newClaim(holder.name())))).isFalse();
        }
        assertThat(get(store.release(holder)).held()).isTrue();
        Claim next = newClaim(holder.name());
        assertThat(token(store.claim(next))).isGreaterThan(token);
        assertThat(get(store.release(next)).held()).isTrue();
        Claim shared = newClaim(newName(), Mode.SHARED, QueuePolicy.BARGES);
        token(store.claim(shared));
        assertThat(isGranted(store.claim(newClaim(shared.name())))).isFalse();
        assertThat(counting.sent()).noneMatch(sent -> sent.contains("SELECT LAST_INSERT_ID()"));
    }
}
