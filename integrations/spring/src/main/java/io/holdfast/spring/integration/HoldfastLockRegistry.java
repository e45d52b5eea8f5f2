package io.holdfast.spring.integration;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;

/**
 * The locks of a {@link Holdfast} client, for Spring Integration: aggregators, {@code LockRegistryLeaderInitiator},
 * {@code LockRequestHandlerAdvice}, {@code IdempotentReceiver}s and whatever else takes a lock registry.
 *
 * <pre>{@code
 * @Bean
 * HoldfastLockRegistry lockRegistry(Holdfast holdfast) {
 *     return new HoldfastLockRegistry(holdfast, "orders:");
 * }
 * }</pre>
 *
 * <p>Works with Spring Integration 6.5 and 7. With 7, {@link #obtain} returns its {@code DistributedLock}.
 *
 * <p><b>Keys.</b> A key is locked by its text with the prefix before it; the text must not be empty. {@link #obtain} returns the same object for a key
 * while that is in use anywhere, so nothing is ever evicted that is held, and nothing stays that is not.
 *
 * <p><b>Leases.</b> The watchdog keeps the locks for as long as the process lives; no lock ends in the middle of long work, and {@link #renewLock} is
 * needed only for one with a time to live.
 *
 * <p><b>Failures.</b> {@code unlock} throws {@link java.util.ConcurrentModificationException} if the lock was lost, and
 * {@link IllegalStateException} if the thread does not hold it. Taking a lock throws
 * {@link org.springframework.dao.CannotAcquireLockException} if the store failed. While a thread has lost a lock, its
 * next {@code tryLock} is {@code false}, and {@code lock} throws {@code ConcurrentModificationException}: so code that asks again to see whether it still has the lock, as
 * {@code LockRegistryLeaderInitiator} does, learns of the loss instead of getting another lock than the one that it had.
 */
public final class HoldfastLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {

    private final Holdfast holdfast;
    private final String prefix;
    private final LockOptions options;
    private final Map<String, Entry> locks = new ConcurrentHashMap<>();
    private final ReferenceQueue<Lock> unused = new ReferenceQueue<>();

    /** The locks that threads hold: these stay, whether or not the application has a reference to them. */
    private final Set<Lock> held = ConcurrentHashMap.newKeySet();

    private static final class Entry extends WeakReference<Lock> {

        final String key;

        Entry(String key, Lock lock, ReferenceQueue<Lock> queue) {
            super(lock, queue);
            this.key = key;
        }
    }

    /** Locks of that client, by the text of their keys. */
    public HoldfastLockRegistry(Holdfast holdfast) {
        this(holdfast, "");
    }

    /** Locks of that client, by the text of their keys with that prefix before it. */
    public HoldfastLockRegistry(Holdfast holdfast, String prefix) {
        this(holdfast, prefix, LockOptions.defaults());
    }

    /** Locks with these options. */
    public HoldfastLockRegistry(Holdfast holdfast, String prefix, LockOptions options) {
        this.holdfast = Objects.requireNonNull(holdfast, "the client must not be null");
        this.prefix = Objects.requireNonNull(prefix, "the prefix must not be null; it may be empty");
        this.options = Objects.requireNonNull(options, "the options must not be null");
    }

    /**
     * The lock of that key.
     *
     * @throws IllegalArgumentException if the key is null or its text is empty or can't be the name of a lock
     */
    @Override
    public Lock obtain(Object lockKey) {
        String key = text(lockKey);
        forgetUnused();
        Entry entry = locks.get(key);
        Lock known = entry == null ? null : entry.get();
        if (known != null) {
            return known;
        }
        DistributedLock lock = holdfast.lock(prefix + key, options);
        Lock made = DistributedLocks.adapt(new RegisteredLock(key, lock, held));
        while (true) {
            Entry other = locks.putIfAbsent(key, new Entry(key, made, unused));
            if (other == null) {
                return made;
            }
            Lock winner = other.get();
            if (winner != null) {
                return winner;
            }
            locks.remove(key, other);
        }
    }

    private static String text(@Nullable Object lockKey) {
        if (lockKey == null) {
            throw new IllegalArgumentException("the key of a lock must not be null");
        }
        String text = lockKey.toString();
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("the key of a lock must not be empty");
        }
        return text;
    }

    private void forgetUnused() {
        for (Object reference = unused.poll(); reference != null; reference = unused.poll()) {
            if (reference instanceof Entry entry) {
                locks.remove(entry.key, entry);
            }
        }
    }

    /** How many locks are known. */
    int size() {
        forgetUnused();
        return locks.size();
    }

    /** Does nothing that would matter: a lock that is used nowhere is forgotten by itself, and any other one stays. */
    @Override
    public void expireUnusedOlderThan(long age) {
        forgetUnused();
    }

    /**
     * Has the current thread's lock last for at least the client's usual lease from now.
     *
     * @throws IllegalStateException if the thread does not hold it
     * @throws java.util.ConcurrentModificationException if it was lost
     */
    @Override
    public void renewLock(Object lockKey) {
        renew(lockKey, null);
    }

    /** {@link #renewLock(Object)} for at least this long; part of the contract as of Spring Integration 7. */
    public void renewLock(Object lockKey, Duration ttl) {
        renew(lockKey, Objects.requireNonNull(ttl, "the time to live must not be null"));
    }

    private void renew(Object lockKey, @Nullable Duration ttl) {
        DistributedLocks.behind(obtain(lockKey)).renew(ttl);
    }

    /** Ignored: the client renews its locks by itself. */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {}

    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + prefix + "*, " + holdfast + "]";
    }
}
