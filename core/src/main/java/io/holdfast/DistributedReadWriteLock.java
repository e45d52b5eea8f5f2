package io.holdfast;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks over all processes that use the same store: readers together, writers alone. The plain lock of the same
 * name is its write lock.
 *
 * <p>Each reader has its own lease: one that dies ends by its own, whatever the others do. Both locks are re-entrant. An
 * owner who has the write lock may take the read lock as well and then give the write lock back (downgrade). The other way
 * round would wait for itself: an owner who has the read lock and asks for the write lock gets a {@link HoldfastException}
 * where it would wait, and {@code false} from {@link DistributedLock#tryLock()}.
 *
 * <p>Each side answers for itself: {@link DistributedLock#isLocked() isLocked},
 * {@link DistributedLock#remainTimeToLive() remainTimeToLive} and {@link DistributedLock#forceUnlock() forceUnlock} of the
 * write lock are about the writer, those of the read lock about the readers. Those of the plain lock of the name are about both.
 *
 * <p>A fair one ({@link LockOptions#fair()}) serves readers and writers in the order in which they came, so that a stream of
 * readers does not starve a writer. In one that is not fair, newcomers may pass those who wait.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

    /** What is locked. */
    String getName();

    @Override
    DistributedLock readLock();

    @Override
    DistributedLock writeLock();
}
