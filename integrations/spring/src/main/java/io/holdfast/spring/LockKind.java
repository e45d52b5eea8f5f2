package io.holdfast.spring;

/** What kind of lock {@link WithLock} and {@link LockTemplate} take. */
public enum LockKind {
    /** {@link io.holdfast.Holdfast#lock(String)}. */
    PLAIN,
    /** {@link io.holdfast.Holdfast#fairLock(String)}: first come, first served over all processes. */
    FAIR,
    /** The read lock of {@link io.holdfast.Holdfast#readWriteLock(String)}: shared with other readers. */
    READ,
    /** The write lock of {@link io.holdfast.Holdfast#readWriteLock(String)}, which is the plain lock of the same name. */
    WRITE,
    /** Permits of {@link io.holdfast.Holdfast#semaphore(String, int)}. */
    SEMAPHORE
}
