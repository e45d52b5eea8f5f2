package io.holdfast.bench.contestant;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** One connected client of a contestant. Workers end without closing it, so that there is nothing to close. */
public interface LockClient {

    /** The lock of that name, as a user of the library gets it. */
    Lock lock(String name);

    /** First come first served over all processes. */
    default Lock fairLock(String name) {
        throw new UnsupportedOperationException("there are no fair locks");
    }

    /** Kept by the client for a while when it is not wanted; where there is no such thing, the ordinary one. */
    default Lock lingeringLock(String name) {
        return lock(name);
    }

    /** One writer or many readers. */
    default ReadWriteLock readWriteLock(String name) {
        throw new UnsupportedOperationException("there are no read/write locks");
    }

    /** Takes a lock that is then kept for as long as the process lives, in the way that scales best there. */
    CompletionStage<?> keep(String name, long owner);
}
