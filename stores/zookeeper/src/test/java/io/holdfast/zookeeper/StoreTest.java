package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.tck.Wire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A server with a wire to it, whose sessions may be short, and stores on both. */
@Timeout(60)
abstract class StoreTest {

    static final Duration LONG = Duration.ofSeconds(60);
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int TICK_MILLIS = 100;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final AtomicInteger claims = new AtomicInteger();
    private final String client = UUID.randomUUID().toString();

    TestingServer server;
    Wire wire;
    ZooKeeper plain;

    @BeforeEach
    final void startServer() throws Exception {
        server = opened(new TestingServer(Loopback.serverWithTick(TICK_MILLIS), true));
        wire = opened(Wire.to(server.getPort()));
        plain = opened(new ZooKeeper(server.getConnectString(), 2_000, event -> {}));
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    final <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    final ZooKeeperStore direct() {
        return opened(ZooKeeperStore.open("zookeeper://" + server.getConnectString(), TIMEOUT, System::nanoTime));
    }

    /** A store behind the wire, whose session ends after half a second of silence. */
    final ZooKeeperStore wired() {
        return opened(
                ZooKeeperStore.open("zookeeper://" + wire.address() + "?session=500ms", TIMEOUT, System::nanoTime));
    }

    final Claim claim(String name, QueuePolicy policy, Duration lease) {
        Owner owner = new Owner("client", "host", 1, "thread");
        String id = client + ":" + claims.incrementAndGet();
        return new Claim(name, id, Mode.EXCLUSIVE, lease, 1, owner, policy, 1, ClaimOptions.NONE);
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** What the store says once it can be asked: a session as short as here may end at any time on a slow machine. */
    static <T> T answered(Callable<T> command) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                return command.call();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof StoreUnavailableException) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Thread.sleep(5);
            }
        }
    }

    static long granted(LockStore store, Claim claim) throws Exception {
        ClaimResult outcome = get(store.claim(claim));
        assertThat(outcome).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) outcome).token();
    }

    static void waits(LockStore store, Claim claim) throws Exception {
        assertThat(get(store.claim(claim))).isInstanceOf(ClaimResult.Busy.class);
    }

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    /** The nodes of names and of claims. */
    final List<String> nodes() throws Exception {
        List<String> nodes = new ArrayList<>();
        if (plain.exists("/holdfast", false) != null) {
            for (String path : ZKUtil.listSubTreeBFS(plain, "/holdfast")) {
                if (path.matches("/holdfast/(lock|semaphore|latch)/../.+")) {
                    nodes.add(path);
                }
            }
        }
        return nodes;
    }
}
