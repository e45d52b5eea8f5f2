package io.holdfast.internal.lock;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.LockOptions;
import io.holdfast.internal.Limits;
import io.holdfast.internal.election.ElectionFace;
import io.holdfast.internal.election.Elections;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.List;

/** Makes the objects that callers lock with. They keep nothing, so two of one name are the same lock. */
public final class LockFactory {

    private final Engine engine;
    private final Elections elections;

    public LockFactory(Engine engine) {
        this.engine = engine;
        this.elections = new Elections(engine);
        engine.setDependent(elections);
    }

    public DistributedLock lock(String name, LockOptions options) {
        return new SingleLock(engine, Limits.name(name), exclusive(options), null, watchdog(options));
    }

    private static LockRequest exclusive(LockOptions options) {
        return LockRequest.exclusive(options.isFair(), options.isReentrant());
    }

    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        LockRequest shared = LockRequest.shared(options.isFair(), options.isReentrant());
        return new ReadWriteFace(
                new SingleLock(engine, Limits.name(name), shared, Mode.SHARED, watchdog(options)),
                new SingleLock(engine, name, exclusive(options), Mode.EXCLUSIVE, watchdog(options)));
    }

    public static DistributedLock multiLock(List<DistributedLock> locks) {
        return MultiLock.of(locks);
    }

    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        return new Semaphore(engine, Limits.name(name), Limits.permits(permits), options.isFair(), watchdog(options));
    }

    public DistributedLatch latch(String name) {
        return new Latch(engine, Limits.name(name));
    }

    public ElectionFace election(String name, LockOptions options) {
        return elections.election(Limits.name(name), watchdog(options));
    }

    private LeaseTerms watchdog(LockOptions options) {
        LeaseTerms usual = engine.usualTerms();
        Duration lease = options.lease();
        // Where another client can't ask for the claim, keeping it would make that client wait.
        Duration linger = engine.capabilities().canQueue() ? options.linger() : Duration.ZERO;
        return lease == null && linger.isZero()
                ? usual
                : LeaseTerms.watchdog(lease == null ? usual.lease() : lease, linger);
    }
}
