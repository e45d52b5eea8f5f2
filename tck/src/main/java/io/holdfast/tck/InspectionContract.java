package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockState;
import io.holdfast.spi.LockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What inspection shows, and what forcing does. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class InspectionContract extends Contract {

    @Test
    @DisplayName("sees from any client whether a lock is held, and for how long still")
    void seesWhetherItIsHeld() {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        assertThat(other.isLocked()).isFalse();
        assertThat(other.remainTimeToLive()).isEqualTo(-2);
        lock.lock(LONG);
        assertThat(other.isLocked()).isTrue();
        assertThat(other.isHeldByCurrentThread()).isFalse();
        assertThat(other.getHoldCount()).isZero();
        assertThat(other.remainTimeToLive()).isBetween(LONG.toMillis() / 2, LONG.toMillis());
        lock.unlock();
        assertThat(other.isLocked()).isFalse();
        assertThat(other.remainTimeToLive()).isEqualTo(-2);
    }

    @Test
    @DisplayName("sees a lock free once its lease ran out")
    void seesTheEndOfALease() throws Exception {
        String name = name();
        Holdfast client = client();
        DistributedLock other = client().lock(name);
        client.lock(name).lock(Duration.ofMillis(100));
        until("it is free", SOON, () -> !other.isLocked());
        assertThat(other.remainTimeToLive()).isEqualTo(-2);
        assertThat(client.inspect(name).holders()).isEmpty();
        assertThat(client.list(name)).isEmpty();
    }

    @Essential
    @Test
    @DisplayName("sees who holds a lock")
    void seesTheHolder() throws Exception {
        String name = name();
        Holdfast client = client(builder -> builder.lease(LONG).clientName("orders-1"));
        Holdfast other = client();
        LockState free = other.inspect(name);
        assertThat(free.name()).isEqualTo(name);
        assertThat(free.isLocked()).isFalse();
        assertThat(free.holders()).isEmpty();
        Actor alice = actor("alice");
        long token = alice.gets(() -> {
            client.lock(name).lock();
            return client.lock(name).lease().token();
        });
        LockState state = other.inspect(name);
        assertThat(state.name()).isEqualTo(name);
        assertThat(state.isLocked()).isTrue();
        assertThat(state.holders()).hasSize(1);
        Claimant holder = state.holders().get(0);
        assertThat(holder.claimId()).startsWith(client.id() + ":");
        assertThat(holder.client()).isEqualTo("orders-1");
        assertThat(holder.host()).isNotBlank();
        assertThat(holder.process()).isEqualTo(ProcessHandle.current().pid());
        assertThat(holder.thread()).isEqualTo("tck-alice");
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.holds()).isEqualTo(1);
        assertThat(holder.since()).isNotNull();
        assertThat(holder.timeLeft()).isBetween(LONG.dividedBy(2), LONG);
    }

    @Test
    @DisplayName("sees how often the holder has entered")
    void seesTheHoldCount() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        DistributedLock lock = client.lock(name());
        for (int i = 1; i <= 3; i++) {
            lock.lock();
            seesHolds(other, i);
        }
        for (int i = 2; i >= 1; i--) {
            lock.unlock();
            seesHolds(other, i);
        }
        lock.unlock();
        assertThat(other.inspect(name()).holders()).isEmpty();
    }

    private void seesHolds(Holdfast other, int holds) throws Exception {
        eventually(
                SOON,
                () -> assertThat(other.inspect(name()).holders().get(0).holds()).isEqualTo(holds));
    }

    @Essential
    @Test
    @DisplayName("sees the held locks of a prefix in the order of their names, and no others")
    void lists() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        for (String suffix : List.of("b", "a", "c", "other")) {
            client.lock(name("list:" + suffix)).lock();
        }
        client.lock(name("elsewhere")).lock();
        client.lock(name("list:c")).unlock();
        assertThat(other.list(name("list:")))
                .extracting(LockState::name)
                .containsExactly(name("list:a"), name("list:b"), name("list:other"));
        assertThat(other.list(name("list:a")))
                .singleElement()
                .satisfies(state -> assertThat(state.holders())
                        .singleElement()
                        .satisfies(holder -> assertThat(holder.claimId()).startsWith(client.id())));
        assertThat(other.list(name("nothing"))).isEmpty();
        assertThat(other.list("")).extracting(LockState::name).contains(name("list:a"), name("elsewhere"));
    }

    @Test
    @DisplayName("lists by a prefix that is taken as it is written")
    void listsLiterally() {
        Holdfast client = client();
        List<String> odd = List.of("*", "?", "[a]", "[^a]", "\\", "%", "_", "{x}", ".*");
        for (String one : odd) {
            client.lock(name(one + "1")).lock();
        }
        client.lock(name("a1")).lock();
        for (String one : odd) {
            assertThat(client.list(name(one)))
                    .as("prefix %s", one)
                    .extracting(LockState::name)
                    .containsExactly(name(one + "1"));
        }
    }

    @Test
    @DisplayName("can take a lock away from its holder")
    void forces() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        Holdfast other = client();
        assertThat(other.forceUnlock(name)).isFalse();
        assertThat(other.lock(name).forceUnlock()).isFalse();
        lock.lock();
        assertThat(other.forceUnlock(name)).isTrue();
        assertThat(other.lock(name).isLocked()).isFalse();
        assertThat(other.forceUnlock(name)).isFalse();
        assertThat(other.lock(name).tryLock()).isTrue();
        assertThat(client().lock(name).forceUnlock()).isTrue();
    }

    @Test
    @DisplayName("and forces a lock lets those who wait for it go on")
    void forcingWakes() throws Exception {
        String name = name();
        client().lock(name).lock();
        DistributedLock other = client().lock(name);
        Actor bob = actor("bob");
        Future<?> got = bob.starts(other::lock);
        until("bob waits", SOON, bob::isWaiting);
        throughout("bob waits", Duration.ofMillis(20), () -> !got.isDone());
        client().forceUnlock(name);
        await(got);
        bob.does(other::unlock);
    }

    @Test
    @DisplayName("is told what the locks are worth")
    void seesTheGuarantee() {
        LockStore store = openStore();
        assertThat(client().guarantee()).isEqualTo(store.traits().guarantee());
        assertThat(store.description()).isNotBlank();
    }
}
