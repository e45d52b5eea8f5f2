package io.holdfast.shedlock;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's locks on the store of a {@link Holdfast} client.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(Holdfast holdfast) {
 *     return new HoldfastLockProvider(holdfast, "job:");
 * }
 * }</pre>
 *
 * <p>{@code lockAtMostFor} is the lease: the lock ends after it, also if the job still runs. {@code lockAtLeastFor} keeps the lock
 * after a job that was short. It stays for that time also when the client is closed or the process ends before; ShedLock's {@code unlock} returns at
 * once. A closed client leaves the lock to its lease, which may then be as long as {@code lockAtMostFor}, since a lease is never
 * made shorter.
 *
 * <p>{@code extend} makes a lock last for its new {@code lockAtMostFor} from now, or for as long as before if that is longer.
 *
 * <p>If the store fails, {@code lock} throws a {@link HoldfastException}, and ShedLock does not run the job.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {

    private final Holdfast holdfast;
    private final String prefix;

    /** A provider of locks of that client, which stays the caller's to close. */
    public HoldfastLockProvider(Holdfast holdfast) {
        this(holdfast, "");
    }

    /** A provider of locks whose names are those of the jobs, with that prefix before them. */
    public HoldfastLockProvider(Holdfast holdfast, String prefix) {
        this.holdfast = Objects.requireNonNull(holdfast, "the client must not be null");
        this.prefix = Objects.requireNonNull(prefix, "the prefix must not be null; it may be empty");
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        long askedAt = System.nanoTime();
        Optional<Lease> lease;
        try {
            lease = holdfast.lock(prefix + configuration.getName())
                    .tryAcquire(Duration.ZERO, configuration.getLockAtMostFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return lease.map(granted -> new HoldfastSimpleLock(configuration, granted, askedAt));
    }

    @Override
    public String toString() {
        return "HoldfastLockProvider[" + prefix + "*, " + holdfast + "]";
    }
}
