package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.tck.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("An ensemble of three")
@Timeout(120)
class EnsembleTest {

    @Test
    @DisplayName("keeps locks and tokens when one server is killed, whichever it is")
    void losesOne() throws Exception {
        try (TestingCluster cluster = new TestingCluster(Loopback.servers(3))) {
            cluster.start();
            String uri = "zookeeper://"
                    + cluster.getInstances().stream()
                            .map(InstanceSpec::getConnectString)
                            .collect(Collectors.joining(","));
            try (Holdfast here = patient(uri);
                    Holdfast there = patient(uri)) {
                long last = 0;
                for (InstanceSpec victim : cluster.getInstances()) {
                    Lease held = here.lock("lock").acquire();
                    assertThat(held.token()).isGreaterThan(last);
                    last = held.token();
                    assertThat(cluster.killServer(victim)).isTrue();
                    assertThat(isFree(there.lock("lock"))).isFalse();
                    assertThat(held.isValid()).isTrue();
                    held.close();
                    Lease next = there.lock("lock").acquire();
                    assertThat(next.token()).isGreaterThan(last);
                    last = next.token();
                    next.close();
                    assertThat(cluster.restartServer(victim)).isTrue();
                }
            }
        }
    }

    /** An election may take a while on a slow machine. */
    private static Holdfast patient(String uri) {
        return Holdfast.builder()
                .uri(uri)
                .lease(Duration.ofSeconds(30))
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    @Test
    @DisplayName("has one server that stands still with its connections open, and no lease is lost for it")
    void standsStill() throws Exception {
        List<Wire> wires = new ArrayList<>();
        try (TestingCluster cluster = new TestingCluster(Loopback.servers(3))) {
            cluster.start();
            for (InstanceSpec instance : cluster.getInstances()) {
                wires.add(Wire.to(instance.getPort()));
            }
            String uri = "zookeeper://" + wires.stream().map(Wire::address).collect(Collectors.joining(","));
            AtomicInteger renewals = new AtomicInteger();
            LockListener counting = new LockListener() {
                @Override
                public void renewed(LockEvent.Renewed event) {
                    renewals.incrementAndGet();
                }
            };
            try (Holdfast client = Holdfast.builder()
                    .uri(uri)
                    .lease(Duration.ofSeconds(5))
                    .listener(counting)
                    .build()) {
                Lease held = client.lock("lock").acquire();
                StoreTest.until(
                        "one is used", () -> wires.stream().filter(Wire::isUsed).count() == 1);
                Wire used = wires.stream().filter(Wire::isUsed).findFirst().orElseThrow();
                used.pause();
                int before = renewals.get();
                // The client itself notices after two thirds of its session, which is ten seconds.
                StoreTest.until("it is renewed again and again", () -> {
                    assertThat(held.isValid()).as("the lease").isTrue();
                    return renewals.get() >= before + 3;
                });
                try (Lease other = client.lock("another").acquire()) {
                    assertThat(other.isValid()).isTrue();
                }
                used.resume();
                held.close();
            }
        } finally {
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }

    /** What the ensemble says once it has a leader again. */
    private static boolean isFree(DistributedLock lock) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(25);
        while (true) {
            try {
                return lock.tryLock();
            } catch (HoldfastException e) {
                assertThat(e.retryable()).isTrue();
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.sleep(50);
            }
        }
    }
}
