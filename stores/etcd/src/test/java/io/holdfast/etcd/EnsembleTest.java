package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real processes of etcd. Each member is killed or stopped in turn, so the leader is among them. */
@DisplayName("An ensemble of three")
@Timeout(240)
class EnsembleTest {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final List<EtcdServer> servers = new ArrayList<>();

    @BeforeEach
    void start() {
        EtcdServer.program();
        for (int i = 0; i < 3; i++) {
            servers.add(new EtcdServer("member-" + i));
        }
        servers.forEach(server -> server.start(servers));
        servers.forEach(EtcdServer::awaitListening);
    }

    @AfterEach
    void end() {
        servers.forEach(EtcdServer::close);
    }

    /** A client that first turns to the member with this number. */
    private Holdfast client(int first) {
        List<EtcdServer> order = new ArrayList<>(servers.subList(first, 3));
        order.addAll(servers.subList(0, first));
        String uri =
                "etcd://" + order.stream().map(one -> "127.0.0.1:" + one.port).collect(Collectors.joining(","));
        return Holdfast.builder()
                .uri(uri + "?timeout=2s")
                .lease(Duration.ofSeconds(60))
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    @Test
    @DisplayName("keeps locks and tokens when one member is killed, whichever it is")
    void losesOne() throws Exception {
        outlives(EtcdServer::kill, server -> {
            server.start(servers);
            server.awaitListening();
        });
    }

    @Test
    @DisplayName("keeps locks and tokens when one member stands still, whichever it is")
    void standsStill() throws Exception {
        outlives(server -> server.signal("STOP"), server -> server.signal("CONT"));
    }

    private interface Change {
        void of(EtcdServer server);
    }

    private void outlives(Change failure, Change recovery) throws Exception {
        try (Holdfast here = client(0);
                Holdfast there = client(1)) {
            long last = 0;
            for (EtcdServer victim : servers) {
                Lease held = acquired(here.lock("lock"));
                assertThat(held.token()).isGreaterThan(last);
                last = held.token();
                failure.of(victim);
                assertThat(isFree(there.lock("lock"))).isFalse();
                assertThat(held.isValid()).isTrue();
                held.close();
                Lease next = acquired(there.lock("lock"));
                assertThat(next.token()).isGreaterThan(last);
                last = next.token();
                next.close();
                recovery.of(victim);
            }
        }
    }

    @Test
    @DisplayName("grants nothing without a majority, and what was held is held when it is back")
    void minority() throws Exception {
        try (Holdfast client = client(0)) {
            Lease held = acquired(client.lock("held"));
            servers.get(1).kill();
            servers.get(2).kill();
            boolean granted;
            try {
                granted = client.lock("other").tryLock();
            } catch (HoldfastException e) {
                assertThat(e.retryable()).isTrue();
                granted = false;
            }
            assertThat(granted).isFalse();
            servers.get(1).start(servers);
            servers.get(1).awaitListening();
            try (Holdfast late = client(1)) {
                assertThat(isFree(late.lock("held"))).isFalse();
            }
            assertThat(held.isValid()).isTrue();
            held.close();
        }
    }

    private static Lease acquired(DistributedLock lock) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return lock.acquire();
            } catch (HoldfastException e) {
                retryable(e, end);
            }
        }
    }

    /** What the ensemble says once it has a leader again. */
    private static boolean isFree(DistributedLock lock) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return lock.tryLock();
            } catch (HoldfastException e) {
                retryable(e, end);
            }
        }
    }

    private static void retryable(HoldfastException e, long end) throws InterruptedException {
        assertThat(e.retryable()).as(e.toString()).isTrue();
        assertThat(System.nanoTime() - end).as(e.toString()).isNegative();
        Thread.sleep(50);
    }
}
