package io.holdfast.shedlock;

import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One lock of one run of a job. */
final class HoldfastSimpleLock extends AbstractSimpleLock {

    private static final Logger log = LoggerFactory.getLogger(HoldfastSimpleLock.class);

    private final Lease lease;

    /** When the lock, or its extension, was asked for: the least time counts from there. */
    private final long begunAt;

    HoldfastSimpleLock(LockConfiguration configuration, Lease lease, long begunAt) {
        super(configuration);
        this.lease = lease;
        this.begunAt = begunAt;
    }

    @Override
    protected void doUnlock() {
        Duration left = lockConfiguration.getLockAtLeastFor().minusNanos(System.nanoTime() - begunAt);
        try {
            if (left.compareTo(Duration.ofMillis(1)) >= 0) {
                lease.closeAfter(left);
            } else {
                lease.close();
            }
        } catch (LeaseLostException e) {
            log.warn("The lock of job '{}' ended while the job ran: {}", lockConfiguration.getName(), e.getMessage());
        } catch (HoldfastException e) {
            log.warn("The unlock of job '{}' is not confirmed: {}", lockConfiguration.getName(), e.getMessage());
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration newConfiguration) {
        long askedAt = System.nanoTime();
        // A lease is 10 ms at least; a lock that was meant to be shorter has ended all the same.
        if (askedAt - begunAt >= lockConfiguration.getLockAtMostFor().toNanos()) {
            return Optional.empty();
        }
        try {
            lease.extend(newConfiguration.getLockAtMostFor());
        } catch (LeaseLostException e) {
            return Optional.empty();
        }
        return Optional.of(new HoldfastSimpleLock(newConfiguration, lease, askedAt));
    }
}
