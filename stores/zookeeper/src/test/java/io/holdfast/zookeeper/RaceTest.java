package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.tck.HintListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What happens between two steps of a command:")
class RaceTest extends StoreTest {

    private OddClient odd;
    private ZooKeeperStore store;
    private ZooKeeperStore other;

    @BeforeEach
    void openBoth() throws Exception {
        odd = opened(new OddClient(server.getConnectString()));
        store = opened(ZooKeeperStore.using(() -> odd, "/holdfast", ZooDefs.Ids.OPEN_ACL_UNSAFE));
        other = direct();
    }

    /** Of three. */
    private static Claim permits(int tokens, int permits) {
        Owner owner = new Owner("client", "host", 1, "thread");
        String id = UUID.randomUUID() + ":1";
        return new Claim(
                "semaphore",
                id,
                Mode.PERMITS,
                LONG,
                1,
                owner,
                QueuePolicy.BARGES,
                permits,
                ClaimOptions.tokens(tokens).withCapacity(3));
    }

    @Test
    @DisplayName("a server that is behind does not know a holder yet, which is no reason to grant its lock")
    void isBehind() throws Exception {
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(other, held);
        waits(other, claim("lock", QueuePolicy.QUEUES, LONG));
        odd.isBehind = true;
        waits(store, claim("lock", QueuePolicy.BARGES, LONG));
        assertThat(odd.isBehind).as("it was asked").isFalse();
        assertThat(get(other.renew(List.of(held)))).isEqualTo(Map.of(held.id(), ClaimStatus.HELD));
    }

    @Test
    @DisplayName("a holder gives up some permits, and only those can be had")
    void shrinks() throws Exception {
        Claim held = permits(1, 3);
        granted(other, held);
        odd.beforeLook = () -> get(other.renew(List.of(held.withPermits(2))));
        waits(store, permits(1, 2));
        granted(store, permits(1, 1));
    }

    @Test
    @DisplayName("one that had reserved many tokens leaves, and the next token is above all of them")
    void leavesAFloor() throws Exception {
        int tokens = 100_000;
        Claim held = permits(tokens, 1);
        long first = granted(other, held);
        odd.beforeLook = () -> get(other.release(held));
        assertThat(granted(store, permits(1, 1))).isGreaterThanOrEqualTo(first + tokens);
    }

    @Test
    @DisplayName("a place is taken and the answer lost; found again, it is called when its turn comes")
    void losesAPlace() throws Exception {
        Claim held = claim("lock", QueuePolicy.QUEUES, LONG);
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        granted(other, held);
        Set<String> called = ConcurrentHashMap.newKeySet();
        store.subscribe(waiting.client(), new HintListener(called::add, () -> called.add("")));
        odd.losesCreation = true;
        CompletionStage<?> lost = store.claim(waiting);
        assertThatThrownBy(() -> get(lost)).hasCauseInstanceOf(StoreUnavailableException.class);
        waits(store, waiting);
        assertThat(get(other.inspect(Resource.lock("lock"))).waiters()).hasSize(1);
        get(other.release(held));
        until("it is called", () -> called.contains(waiting.id()));
        granted(store, waiting);
    }

    @Test
    @DisplayName("a renewal comes late, and a lease that was extended since is not shorter for it")
    void comesLate() throws Exception {
        Claim held = claim("lock", QueuePolicy.BARGES, Duration.ofSeconds(1));
        long token = granted(store, held);
        odd.keepsWrite = true;
        CompletionStage<?> late = store.renew(List.of(held));
        assertThat(odd.keepsWrite).as("it is on its way").isFalse();
        assertThat(get(store.renew(List.of(held.withLease(LONG))))).isEqualTo(Map.of(held.id(), ClaimStatus.HELD));
        odd.sendKept();
        get(late);
        var holder = get(other.inspect(Resource.lock("lock"))).holders().get(0);
        assertThat(holder.timeLeft()).isGreaterThan(Duration.ofSeconds(30));
        assertThat(holder.token()).isEqualTo(token);
        assertThat(get(store.release(held)).held()).isTrue();
        until("nothing is left", () -> nodes().isEmpty());
    }
}
