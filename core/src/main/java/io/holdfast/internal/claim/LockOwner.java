package io.holdfast.internal.claim;

import io.holdfast.LocalOwner;

/**
 * The owner of a hold inside this client.
 *
 * @param type what the id stands for
 * @param id a thread's id, or what the caller gave instead
 * @param thread the name of the requesting thread, or the text of a candidate, for inspection
 */
public record LockOwner(Type type, long id, String thread) {

    public enum Type {
        /** A thread that blocks, so that it waits in one place at a time. */
        THREAD,
        /** An id that stands for a thread; it may ask again before it has been answered. */
        ID,
        /** A {@link io.holdfast.Lease} object, which is itself the only proof of ownership; the id says nothing. */
        HANDLE,
        /** A handle whose claim shows a text of its own for as long as it holds, so the claim is handed to no other owner. */
        CANDIDATE;

        LocalOwner toLocal(long id, String thread) {
            return switch (this) {
                case THREAD -> new LocalOwner(LocalOwner.Kind.THREAD, id, thread);
                case ID -> new LocalOwner(LocalOwner.Kind.ID, id, thread);
                case HANDLE, CANDIDATE -> new LocalOwner(LocalOwner.Kind.HANDLE, 0, thread);
            };
        }
    }

    /** As snapshots show it. */
    public LocalOwner toLocal() {
        return type.toLocal(id, thread);
    }

    public boolean isHandle() {
        return type == Type.HANDLE || type == Type.CANDIDATE;
    }

    public boolean isCandidate() {
        return type == Type.CANDIDATE;
    }

    public static LockOwner ofCurrentThread() {
        Thread thread = Thread.currentThread();
        return new LockOwner(Type.THREAD, LockOwner.threadId(thread), thread.getName());
    }

    public static LockOwner ofId(long id) {
        return new LockOwner(Type.ID, id, Thread.currentThread().getName());
    }

    public static LockOwner ofHandle() {
        return new LockOwner(Type.HANDLE, 0, Thread.currentThread().getName());
    }

    /**
     * A candidate of an election.
     *
     * @param text what inspections show in place of a thread
     */
    public static LockOwner ofCandidate(String text) {
        return new LockOwner(Type.CANDIDATE, 0, text);
    }

    @SuppressWarnings("deprecation") // threadId() is Java 19; a thread class that overrides getId() is on its own
    public static long threadId(Thread thread) {
        return thread.getId();
    }
}
