package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Which part of this client's process holds a lock or waits for it.
 *
 * @param kind what owns it
 * @param id the thread's id, or the id that the caller gave; 0 where there is none
 * @param thread the thread that asked; {@code null} for a lock that the client keeps
 */
public record LocalOwner(Kind kind, long id, @Nullable String thread) {

    /** What owns a lock inside one client. */
    public enum Kind {
        /** The thread that took it. */
        THREAD,
        /** An owner id, as the asynchronous methods take. */
        ID,
        /** A {@link Lease}, whoever has it. */
        HANDLE,
        /** No caller: the client has kept it for the next one, by {@link LockOptions#linger} or while it is handed over. */
        KEPT
    }
}
