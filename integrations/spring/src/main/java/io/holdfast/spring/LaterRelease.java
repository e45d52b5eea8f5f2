package io.holdfast.spring;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Gives a lease back when its job's least time is over. */
final class LaterRelease {

    private LaterRelease() {}

    static void schedule(Lease lease, Duration left) {
        CompletableFuture.delayedExecutor(left.toNanos(), TimeUnit.NANOSECONDS).execute(lease::closeAsync);
    }
}
