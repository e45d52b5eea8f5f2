package io.holdfast.internal;

/**
 * Who holds a lock inside this client.
 *
 * @param kind what the id stands for
 * @param id a thread's id, or what the caller gave instead
 * @param thread the name of the thread that asked, for those who look
 */
public record LockOwner(Kind kind, long id, String thread) {

    enum Kind {
        /** A thread that blocks, so that it waits in one place at a time. */
        THREAD,
        /** An id that stands for a thread; it may ask again before it has been answered. */
        ID,
        /** A {@link io.holdfast.Lease} object, which is itself the only proof of ownership; the id says nothing. */
        HANDLE
    }

    boolean isHandle() {
        return kind == Kind.HANDLE;
    }

    static LockOwner ofCurrentThread() {
        Thread thread = Thread.currentThread();
        return new LockOwner(Kind.THREAD, Threads.id(thread), thread.getName());
    }

    static LockOwner ofId(long id) {
        return new LockOwner(Kind.ID, id, Thread.currentThread().getName());
    }

    static LockOwner ofHandle() {
        return new LockOwner(Kind.HANDLE, 0, Thread.currentThread().getName());
    }
}
