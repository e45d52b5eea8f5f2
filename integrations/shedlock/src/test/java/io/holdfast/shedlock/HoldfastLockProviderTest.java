package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ShedLock's own contract, and what is ours. */
@DisplayName("The lock provider for ShedLock")
class HoldfastLockProviderTest extends AbstractExtensibleLockProviderIntegrationTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final String uri = "memory:" + UUID.randomUUID();
    private final Holdfast holdfast = Holdfast.connect(uri);
    private final Holdfast other = Holdfast.connect(uri);

    @AfterEach
    void close() {
        holdfast.close();
        other.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new HoldfastLockProvider(holdfast, "job:");
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(other.lock("job:" + name).isLocked()).isTrue();
    }

    @Override
    protected void assertUnlocked(String name) {
        // One of the contract's locks is meant to last for 1 ms, and a lease is 10 ms at least.
        long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        while (other.lock("job:" + name).isLocked() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertThat(other.lock("job:" + name).isLocked()).isFalse();
    }

    @Test
    @DisplayName("keeps the lock of a short job for its least time, also when its client is closed")
    void leastTimeOutlivesTheClient() {
        SimpleLock lock = getLockProvider()
                .lock(new LockConfiguration(Instant.now(), "short", LONG, LONG))
                .orElseThrow();
        lock.unlock();
        assertLocked("short");
        holdfast.close();
        assertLocked("short");
        assertThat(new HoldfastLockProvider(other, "job:")
                        .lock(new LockConfiguration(Instant.now(), "short", LONG, Duration.ZERO)))
                .isEmpty();
    }

    @Test
    @DisplayName("gives a lock without a least time back when its client is closed")
    void closedClientGivesBack() {
        assertThat(getLockProvider().lock(new LockConfiguration(Instant.now(), "running", LONG, Duration.ZERO)))
                .isPresent();
        holdfast.close();
        assertUnlocked("running");
    }
}
