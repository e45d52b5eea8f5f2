package io.holdfast.internal;

/**
 * Who holds a lock inside this client: a thread (or an id that stands for one), which may enter again, or a handle, which
 * is itself the only proof of ownership.
 *
 * @param id a thread's id, or what the caller gave instead
 * @param handle whether a {@link io.holdfast.Lease} object owns the lock; then the id says nothing
 * @param thread the name of the thread that asked, for those who look
 */
public record LockOwner(long id, boolean handle, String thread) {

    static LockOwner ofCurrentThread() {
        Thread thread = Thread.currentThread();
        return new LockOwner(Threads.id(thread), false, thread.getName());
    }

    static LockOwner ofId(long id) {
        return new LockOwner(id, false, Thread.currentThread().getName());
    }

    static LockOwner ofHandle() {
        return new LockOwner(0, true, Thread.currentThread().getName());
    }
}
