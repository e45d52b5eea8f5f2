package io.holdfast.bench.contestant;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;

/** One connected client of a contestant. Workers end without closing it, so that there is nothing to close. */
public interface LockClient {

    /** The lock of that name, as a user of the library gets it. */
    Lock lock(String name);

    /** Takes a lock that is then kept for as long as the process lives, in the way that scales best there. */
    CompletionStage<?> keep(String name, long owner);
}
