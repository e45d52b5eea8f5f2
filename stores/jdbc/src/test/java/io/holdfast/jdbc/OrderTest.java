package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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
        get(store.inspect(Resource.lock(claim.name())));
        CountDownLatch slow = new CountDownLatch(1);
        source.before(() -> awaitQuietly(slow));
        CompletionStage<ClaimResult> claimed = store.claim(claim);
        CompletionStage<ClaimResult> again = store.claim(claim);
        source.before(() -> {});
        CompletionStage<ReleaseResult> released = store.release(claim);
        slow.countDown();
        assertThat(isGranted(claimed)).isTrue();
        assertThat(isGranted(again)).isTrue();
        assertThat(get(released).held()).isTrue();
        assertThat(get(store.inspect(Resource.lock(claim.name()))).isLocked()).isFalse();
    }

    @Test
    @DisplayName("are one at a time of one claim: those that come meanwhile go together when the first is answered")
    void oneAtATime() {
        Order order = new Order();
        Claim claim = newClaim(newName());
        List<CompletableFuture<ClaimResult>> sent = new ArrayList<>();
        Supplier<CompletableFuture<ClaimResult>> send = () -> {
            sent.add(new CompletableFuture<>());
            return sent.get(sent.size() - 1);
        };
        CompletableFuture<ClaimResult> first = order.claiming(claim, send);
        CompletableFuture<ClaimResult> second = order.claiming(claim, send);
        CompletableFuture<ClaimResult> third = order.claiming(claim, send);
        CompletableFuture<ClaimResult> another = order.claiming(newClaim(claim.name()), send);
        assertThat(sent).as("the first, and that of another claim").hasSize(2);
        sent.get(1).complete(new ClaimResult.Granted(7));
        assertThat(another).isCompletedWithValue(new ClaimResult.Granted(7));
        // The lease that the first was granted may have begun before the others were asked for.
        sent.get(0).complete(new ClaimResult.Granted(1));
        assertThat(first).isCompletedWithValue(new ClaimResult.Granted(1));
        assertThat(second).isNotDone();
        assertThat(sent).hasSize(3);
        CompletableFuture<ClaimResult> fourth = order.claiming(claim, send);
        sent.get(2).complete(new ClaimResult.Granted(2));
        assertThat(second).isCompletedWithValue(new ClaimResult.Granted(2));
        assertThat(third).isCompletedWithValue(new ClaimResult.Granted(2));
        assertThat(fourth).isNotDone();
        CompletableFuture<ClaimResult> fifth = order.claiming(claim, send);
        sent.get(3).completeExceptionally(new IllegalStateException("on purpose"));
        assertThat(fourth).isCompletedExceptionally();
        assertThat(fifth).as("what waited for one that failed").isCompletedExceptionally();
        assertThat(sent).hasSize(4);
    }

    @Test
    @DisplayName("are one if they are releases of one claim, which goes behind all attempts of the claim")
    void releasedOnce() {
        Order order = new Order();
        Claim claim = newClaim(newName());
        CompletableFuture<ClaimResult> granted = new CompletableFuture<>();
        CompletableFuture<ClaimResult> again = new CompletableFuture<>();
        List<CompletableFuture<ReleaseResult>> sent = new ArrayList<>();
        Supplier<CompletableFuture<ReleaseResult>> send = () -> {
            sent.add(new CompletableFuture<>());
            return sent.get(sent.size() - 1);
        };
        order.claiming(claim, () -> granted);
        order.claiming(claim, () -> again);
        CompletableFuture<ReleaseResult> first = order.releasing(claim, send);
        CompletableFuture<ReleaseResult> second = order.releasing(claim, send);
        granted.complete(new ClaimResult.Granted(1));
        assertThat(sent).isEmpty();
        again.complete(new ClaimResult.Granted(1));
        assertThat(sent).hasSize(1);
        sent.get(0).complete(new ReleaseResult(true, false));
        assertThat(first).isCompletedWithValue(new ReleaseResult(true, false));
        assertThat(second).isCompletedWithValue(new ReleaseResult(true, false));
        order.releasing(claim, send);
        assertThat(sent).as("one that comes later").hasSize(2);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
