package io.holdfast.internal.claim;

/**
 * Who holds a lock inside this client.
 *
 * @param kind what the id stands for
 * @param id a thread's id, or what the caller gave instead
 * @param thread the name of the thread that asked, for those who look
 */
public record LockOwner(Type type, long id, String thread) {

    enum Type {
        /** A thread that blocks, so that it waits in one place at a time. */
        THREAD,
        /** An id that stands for a thread; it may ask again before it has been answered. */
        ID,
        /** A {@link io.holdfast.Lease} object, which is itself the only proof of ownership; the id says nothing. */
        HANDLE
    }

    boolean isHandle() {
        return type == Type.HANDLE;
    }

    static LockOwner ofCurrentThread() {
        Thread thread = Thread.currentThread();
        return new LockOwner(Type.THREAD, LockOwner.threadId(thread), thread.getName());
    }

    static LockOwner ofId(long id) {
        return new LockOwner(Type.ID, id, Thread.currentThread().getName());
    }

    static LockOwner ofHandle() {
        return new LockOwner(Type.HANDLE, 0, Thread.currentThread().getName());
    }
}
