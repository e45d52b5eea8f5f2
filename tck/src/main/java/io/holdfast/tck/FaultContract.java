package io.holdfast.tck;

import static io.holdfast.tck.Eventually.settles;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of locks when answers of the store are lost or late, or a part of it is away. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class FaultContract extends Contract {

    @Essential
    @Test
    @DisplayName("a lock is held by one at a time though answers are lost after their command ran")
    void excludesWithLostAnswers() throws Exception {
        String name = name();
        RacyCounter counter = new RacyCounter();
        List<Long> tokens = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            DistributedLock lock =
                    client(new LossyStore(store().newStore()), LONG).lock(name);
            all.add(actor("c" + c).starts(() -> {
                for (int i = 0; i < 15; i++) {
                    lock.lock();
                    counter.increment();
                    tokens.add(lock.lease().token());
                    lock.unlock(); // which does not take its own first attempt for a loss
                }
            }));
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(3 * 15);
        assertThat(tokens).isSorted();
        assertThat(new HashSet<>(tokens)).as("no token twice").hasSameSizeAs(tokens);
        assertThat(client().lock(name).isLocked()).isFalse();
    }

    @Test
    @DisplayName("a lock is kept though answers to renewals are lost")
    void keepsWithLostAnswers() throws Exception {
        DistributedLock lock = client(new LossyStore(store().newStore()), KEPT).lock(name());
        lock.lock();
        Lease lease = lock.lease();
        throughout("it is held", OUTLASTING, lease::isValid);
        lock.unlock();
    }

    @Test
    @DisplayName("a grant that came too late is given back")
    void givesBackALateGrant() throws Exception {
        String name = name();
        LateStore late = new LateStore(store().newStore());
        DistributedLock lock = client(late, LONG).lock(name);
        DistributedLock other = client().lock(name);
        late.withholdAnswers();
        assertThat(lock.tryLock(600, TimeUnit.MILLISECONDS)).isFalse();
        late.answer();
        settles("it is given back", SOON, () -> !other.isLocked());
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("a grant that came after its acquisition was cancelled is given back")
    void givesBackACancelledGrant() throws Exception {
        String name = name();
        LateStore late = new LateStore(store().newStore());
        DistributedLock lock = client(late, LONG).lock(name);
        DistributedLock other = client().lock(name);
        late.withholdAnswers();
        List<CompletableFuture<?>> all = List.of(lock.lockAsync(1), lock.acquireAsync());
        until("it is granted", SOON, other::isLocked);
        for (CompletableFuture<?> one : all) {
            assertThat(one.cancel(true)).isTrue();
        }
        late.answer();
        settles("it is given back", SOON, () -> !other.isLocked());
    }

    @Test
    @DisplayName("a holder is told by its deadline, and a late answer does not revive its lease")
    void doesNotReviveALease() throws Exception {
        String name = name();
        LateStore late = new LateStore(store().newStore());
        DistributedLock lock = client(late, SHORT).lock(name);
        DistributedLock other = client().lock(name);
        AtomicInteger told = new AtomicInteger();
        lock.lock();
        Lease lease = lock.lease();
        lease.onLost(lost -> told.incrementAndGet());
        long start = System.nanoTime();
        late.withholdAnswers();
        until("it is told", SOON, () -> told.get() == 1);
        assertThat(since(start)).isLessThan(SHORT.plus(SLACK));
        assertThat(lease.isValid()).isFalse();
        late.answer();
        until("it is given back", SOON, () -> !other.isLocked());
        throughout("it does not come back", SHORT, () -> !lease.isValid() && !other.isLocked());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(told).as("told once").hasValue(1);
        lock.lock();
        assertThat(lock.lease().token()).isGreaterThan(lease.token());
        lock.unlock();
    }

    @Essential
    @Test
    @DisplayName("a shard that is away costs its own locks and no others")
    void keepsTheOtherShards() throws Exception {
        Holdfast client = client(new ShardedStore(store().newStore()), KEPT);
        List<Lease> well = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            well.add(client.lock(name("well:" + i)).acquire());
        }
        Lease ill = client.lock(name("ill")).acquire();
        CompletableFuture<Lease> told = new CompletableFuture<>();
        ill.onLost(told::complete);
        assertThat(await(told)).isSameAs(ill);
        throughout("the others are held", OUTLASTING, () -> well.stream().allMatch(Lease::isValid));
        for (Lease lease : well) {
            lease.close();
        }
    }

    /** A store of two shards, one of which never answers a renewal. */
    private static final class ShardedStore extends ForwardingStore {

        ShardedStore(LockStore store) {
            super(store);
        }

        @Override
        public String shard(String name) {
            return name.endsWith(":ill") ? "ill" : "well";
        }

        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
            boolean ill = claims.stream().anyMatch(claim -> shard(claim.name()).equals("ill"));
            return ill ? new CompletableFuture<>() : super.renew(claims);
        }
    }
}
