package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.Resource;
import io.holdfast.tck.HintListener;
import io.holdfast.zookeeper.CountingClient.Counts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lock that goes from claim to claim")
class HandOverTest extends StoreTest {

    private static final int ROUNDS = 25;

    private final Set<String> called = ConcurrentHashMap.newKeySet();

    /** One of the processes that want the lock all the time. */
    private record Process(LockStore store, Claim claim) {}

    private LockStore using(org.apache.zookeeper.ZooKeeper client) {
        return opened(ZooKeeperStore.using(() -> client, "/holdfast", ZooDefs.Ids.OPEN_ACL_UNSAFE));
    }

    /** The claims' client, at that store, once it hears. */
    private void listen(LockStore store) throws Exception {
        String client = claim("lock", QueuePolicy.QUEUES, LONG).client();
        ((QueueingStore) store).subscribe(client, new HintListener(called::add, () -> called.add("")));
        until("it listens", () -> called.remove(""));
    }

    private void takeTurn(LockStore store, Claim claim) throws Exception {
        until("it is called", () -> called.remove(claim.id()));
        granted(store, claim);
    }

    // ---- what it costs ------------------------------------------------------------------------------------------

    @Test
    @DisplayName("costs the same requests and notifications however many wait, and one listing for each ticket")
    void costsTheSame() throws Exception {
        Counts few = passOn(2);
        Counts many = passOn(20);
        assertThat(many.requests.get())
                .as("%s, and before %s", many, few)
                .isLessThanOrEqualTo(few.requests.get() + ROUNDS + ROUNDS / 2);
        for (Counts counts : List.of(few, many)) {
            // The release and a look; the grant; a ticket, a listing, a watch; the one behind: who holds now, and a
            // watch.
            assertThat(counts.requests.get()).as("%s", counts).isLessThanOrEqualTo(8 * ROUNDS + ROUNDS / 2);
            assertThat(counts.listings.get()).as("%s", counts).isLessThanOrEqualTo(ROUNDS + ROUNDS / 5);
            assertThat(counts.notifications.get()).as("%s", counts).isLessThanOrEqualTo(2 * ROUNDS + ROUNDS / 5);
        }
    }

    /** Each that had its turn waits again behind the others. */
    private Counts passOn(int processes) throws Exception {
        String name = "lock-" + processes;
        Counts counts = new Counts();
        Deque<Process> queue = new ArrayDeque<>();
        for (int i = 0; i < processes; i++) {
            LockStore store = using(opened(new CountingClient(server.getConnectString(), counts)));
            listen(store);
            queue.add(waiting(new Process(store, claim(name, QueuePolicy.QUEUES, LONG))));
        }
        Process first = queue.remove();
        Process holder = first;
        for (int i = 0; i < 2 * processes + ROUNDS; i++) {
            if (i == 2 * processes) {
                reset(counts); // all have had their turn, and everything is as it stays
            }
            get(holder.store.release(holder.claim));
            Process next = queue.remove();
            takeTurn(next.store, next.claim);
            queue.add(waiting(new Process(holder.store, claim(name, QueuePolicy.QUEUES, LONG))));
            holder = next;
        }
        return counts;
    }

    private static Process waiting(Process process) throws Exception {
        get(process.store.claim(process.claim));
        return process;
    }

    private static void reset(Counts counts) {
        counts.requests.set(0);
        counts.listings.set(0);
        counts.listed.set(0);
        counts.notifications.set(0);
    }

    @Test
    @DisplayName("is waited for with a write and a read at each look, and no listing")
    void isLookedAt() throws Exception {
        Counts counts = new Counts();
        LockStore store = using(opened(new CountingClient(server.getConnectString(), counts)));
        LockStore other = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(other, held);
        List<Claim> queue = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            queue.add(claim("lock", QueuePolicy.QUEUES, LONG));
            waits(store, queue.get(i));
        }
        get(store.renew(queue));
        reset(counts);
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(get(store.renew(queue)).values()).containsOnly(ClaimStatus.WAITING);
            queue.forEach(claim -> assertThat(store.claim(claim)).isNotNull());
        }
        get(store.renew(queue));
        assertThat(counts.listings.get()).as("%s", counts).isZero();
        assertThat(counts.requests.get()).as("%s", counts).isLessThanOrEqualTo((2 * ROUNDS + 1) * 2 * queue.size());
    }

    // ---- what may happen on the way -----------------------------------------------------------------------------

    @Test
    @DisplayName("is not taken by the one whose turn it is if another claim has barged in, and is once that is over")
    void isBargedInto() throws Exception {
        LockStore store = direct();
        LockStore other = direct();
        listen(store);
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        granted(other, held);
        waits(store, waiting);
        get(other.release(held));
        until("it is called", () -> called.remove(waiting.id()));
        Claim barging = claim("lock", QueuePolicy.BARGES, LONG);
        long token = granted(other, barging);
        waits(store, waiting);
        assertThat(get(store.renew(List.of(waiting)))).isEqualTo(Map.of(waiting.id(), ClaimStatus.WAITING));
        assertThat(get(other.renew(List.of(barging)))).isEqualTo(Map.of(barging.id(), ClaimStatus.HELD));
        get(other.release(barging));
        until("it is called again", () -> called.remove(waiting.id()));
        assertThat(granted(store, waiting)).isGreaterThan(token);
    }

    @Test
    @DisplayName("does not go to the next one while the holder's lease is extended, which moves it to another node")
    void isExtended() throws Exception {
        OddClient odd = opened(new OddClient(server.getConnectString()));
        LockStore holder = using(odd);
        LockStore store = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, Duration.ofSeconds(20));
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        granted(holder, held);
        waits(store, waiting);
        List<String> before = nodes();
        odd.keepsWrite = true;
        CompletionStage<?> late = holder.renew(List.of(held));
        get(holder.renew(List.of(held.withLease(LONG))));
        assertThat(nodes()).as("it has moved").isNotEqualTo(before);
        waits(store, waiting);
        odd.sendKept();
        get(late);
        assertThat(get(holder.renew(List.of(held)))).isEqualTo(Map.of(held.id(), ClaimStatus.HELD));
        get(holder.release(held));
        until(
                "its turn has come",
                () -> get(store.renew(List.of(waiting))).get(waiting.id()) == ClaimStatus.TURN_REACHED);
        granted(store, waiting);
    }

    @Test
    @DisplayName("is held once, with one token, by a claim that was granted and never heard of it")
    void isGrantedUnheard() throws Exception {
        OddClient odd = opened(new OddClient(server.getConnectString()));
        LockStore store = using(odd);
        LockStore other = direct();
        listen(store);
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        granted(other, held);
        waits(store, waiting);
        get(other.release(held));
        until("it is called", () -> called.remove(waiting.id()));
        odd.losesAnswer = HandOverTest::isGrant;
        store.claim(waiting);
        until("it is granted", () -> get(other.inspect(Resource.lock("lock"))).isLocked());
        long token = get(other.inspect(Resource.lock("lock"))).holders().get(0).token();
        assertThat(get(store.renew(List.of(waiting)))).isEqualTo(Map.of(waiting.id(), ClaimStatus.HELD));
        assertThat(granted(store, waiting)).isEqualTo(token);
        assertThat(get(other.inspect(Resource.lock("lock"))).holders()).hasSize(1);
        assertThat(get(store.release(waiting)).held()).isTrue();
        until("nothing is left", () -> nodes().isEmpty());
    }

    private static boolean isGrant(Iterable<Op> ops) {
        for (Op op : ops) {
            if (op.getPath().contains("/h~") && op.getType() != ZooDefs.OpCode.delete) {
                return true;
            }
        }
        return false;
    }

    @Test
    @DisplayName("goes past tickets that are given up, and to no claim behind them before it is free")
    void passesTicketsThatAreGivenUp() throws Exception {
        LockStore store = direct();
        LockStore other = direct();
        listen(store);
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(other, held);
        List<Claim> queue = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            queue.add(claim("lock", QueuePolicy.QUEUES, LONG));
            waits(i % 2 == 0 ? other : store, queue.get(i));
        }
        Claim last = claim("lock", QueuePolicy.QUEUES, LONG);
        waits(store, last);
        for (int i = queue.size() - 1; i >= 0; i--) {
            get((i % 2 == 0 ? other : store).release(queue.get(i)));
        }
        assertThat(get(store.renew(List.of(last)))).isEqualTo(Map.of(last.id(), ClaimStatus.WAITING));
        assertThat(called).isEmpty();
        get(other.release(held));
        takeTurn(store, last);
    }

    @Test
    @DisplayName("has tokens that rise when claims that reserve many follow claims that reserve few")
    void tokensRise() throws Exception {
        LockStore store = direct();
        listen(store);
        Deque<Claim> queue = new ArrayDeque<>();
        long last = 0;
        int tokens = 1;
        for (int i = 0; i < 20; i++) {
            tokens = i % 3 == 1 ? 100_000 : 1;
            Claim claim = claim("lock", QueuePolicy.QUEUES, LONG).withOptions(ClaimOptions.tokens(tokens));
            get(store.claim(claim));
            queue.add(claim);
            if (queue.size() > 2) {
                get(store.release(queue.remove()));
                Claim next = queue.element();
                long token = granted(store, next);
                assertThat(token).isGreaterThan(last);
                last = token + next.tokens() - 1;
            }
        }
    }

    // ---- clients that die ---------------------------------------------------------------------------------------

    @Test
    @DisplayName("is held up by the tickets of a dead client together, and not by each of them in turn")
    void passesADeadClient() throws Exception {
        LockStore store = direct();
        LockStore dying = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(store, held);
        for (int i = 0; i < 10; i++) {
            waits(dying, claim("lock", QueuePolicy.QUEUES, LONG)); // which are not renewed
        }
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        waits(store, waiting);
        get(store.release(held));
        long start = System.nanoTime();
        until("its turn has come", () -> {
            Thread.sleep(Claim.TICKET.toMillis() / 3);
            return get(store.renew(List.of(waiting))).get(waiting.id()) == ClaimStatus.TURN_REACHED;
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Claim.TICKET.multipliedBy(3));
        granted(store, waiting);
    }
}
