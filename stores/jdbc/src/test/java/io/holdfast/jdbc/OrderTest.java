package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Commands that are under way together")
class OrderTest extends StoreTest {

    @ParameterizedTest
    @EnumSource
    @DisplayName("leave no lock when one is the release of the other, however slow the claim is")
    void releaseAfterClaim(TestDatabase database) {
        CountingSource source = opened(new CountingSource(database));
        JdbcStore store = opened(JdbcStore.using(source.source(), database.database()));
        Claim claim = newClaim(newName());
        get(store.inspect(Kind.LOCK, claim.name()));
        CountDownLatch slow = new CountDownLatch(1);
        source.before(() -> awaitQuietly(slow));
        CompletionStage<Outcome> claimed = store.claim(claim);
        CompletionStage<Outcome> again = store.claim(claim);
        source.before(() -> {});
        CompletionStage<Release> released = store.release(claim);
        slow.countDown();
        assertThat(isGranted(claimed)).isTrue();
        assertThat(isGranted(again)).isTrue();
        assertThat(get(released).held()).isTrue();
        assertThat(get(store.inspect(Kind.LOCK, claim.name())).isLocked()).isFalse();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
