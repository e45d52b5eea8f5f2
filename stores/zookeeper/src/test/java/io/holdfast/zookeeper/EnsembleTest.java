package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
        try (TestingCluster cluster = new TestingCluster(3)) {
            cluster.start();
            String uri = "zookeeper://"
                    + cluster.getInstances().stream()
                            .map(InstanceSpec::getConnectString)
                            .collect(Collectors.joining(","));
            try (Holdfast here = Holdfast.builder()
                            .uri(uri)
                            .lease(Duration.ofSeconds(30))
                            .build();
                    Holdfast there = Holdfast.connect(uri)) {
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
