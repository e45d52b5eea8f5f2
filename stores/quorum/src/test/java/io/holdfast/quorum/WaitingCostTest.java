package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.quorum.FaultyNode.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Clients that wait for a quorum's lock")
@Timeout(60)
@Isolated("it counts commands in a stretch of time")
class WaitingCostTest {

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int NODES = 5;

    /** What waiting begins with is over by then: places are taken, looks have become rare. */
    private static final Duration SETTLES = Duration.ofSeconds(1);

    private static final Duration MEASURED = Duration.ofSeconds(2);

    /** Each waiter looks about once a second, the first one a few times; with a wake-up by a vote given back, hundreds. */
    private static final int LOOKS = 20;

    private static final int LOOKS_OF_EACH = 8;

    private final String name = "waiting-" + UUID.randomUUID();
    private final List<List<FaultyNode>> all = new ArrayList<>();
    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Holdfast::close);
    }

    private Holdfast client() {
        List<FaultyNode> nodes = IntStream.range(0, NODES)
                .mapToObj(i -> new FaultyNode(name + "-" + i))
                .toList();
        all.add(nodes);
        Holdfast client = Holdfast.builder()
                .store(QuorumStore.of(nodes, Duration.ofSeconds(1)))
                .lease(LEASE)
                .build();
        clients.add(client);
        return client;
    }

    /** Per node, over all clients. */
    private int[] commands() {
        return IntStream.range(0, NODES)
                .map(node -> all.stream()
                        .mapToInt(nodes -> nodes.get(node).commands())
                        .sum())
                .toArray();
    }

    @ParameterizedTest(name = "{0} waiters, fair {1}, nodes {2} and {3} free")
    @CsvSource({"1, false, 3, 4", "5, false, 3, 4", "15, false, 3, 4", "15, false, 0, 1", "15, true, 0, 4"})
    @DisplayName("cost its nodes little while a bare majority has it, and get it in turn")
    void costLittle(int waiters, boolean fair, int firstFree, int secondFree) throws Exception {
        Holdfast holder = client();
        List<FaultyNode> holders = all.get(0);
        for (int i = 0; i < NODES; i++) {
            holders.get(i).with(i == firstFree || i == secondFree ? Fault.DOWN : Fault.NONE);
        }
        Lease held = holder.lock("lock").acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            Holdfast client = client();
            DistributedLock lock = fair ? client.fairLock("lock") : client.lock("lock");
            waiting.add(lock.acquireAsync());
        }
        Thread.sleep(SETTLES.toMillis());
        int[] before = commands();
        Thread.sleep(MEASURED.toMillis());
        int[] after = commands();
        List<Long> rates = IntStream.range(0, NODES)
                .mapToObj(node -> (after[node] - before[node]) / MEASURED.toSeconds())
                .toList();
        held.close();
        for (int i = 0; i < waiters; i++) {
            Lease next = (Lease) CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new))
                    .get(10, TimeUnit.SECONDS);
            waiting.removeIf(one -> one.isDone() && one.join() == next);
            next.close();
        }
        assertThat(rates)
                .as("commands to each node in a second")
                .allMatch(rate -> rate <= LOOKS + LOOKS_OF_EACH * waiters);
    }
}
