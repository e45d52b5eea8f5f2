package io.holdfast.internal.latch;

import io.holdfast.LocalOwner;
import io.holdfast.LocalWaiter;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller of this client that waits for a latch to open. */
public final class LatchWait {

    public static final long FOREVER = Long.MAX_VALUE;

    final String name;
    final long waitNanos;
    final long askedAt;

    /** The thread that asked, for inspection. */
    final String thread = Thread.currentThread().getName();

    /** Whether the latch is open. The first to complete it has decided. */
    public final CompletableFuture<Boolean> result = new CompletableFuture<>();

    /** The first look that says how things stood after this one came. */
    long firstLook;

    /** The id of the latch that it waits for, once that was seen. */
    @Nullable
    String seen;

    /** Whether a look has been answered since it came. */
    boolean answered;

    /** Whether its time is over and it only waits for the first answer. */
    boolean overdue;

    @Nullable
    Timer timeout;

    LatchWait(String name, long waitNanos, long askedAt) {
        this.name = name;
        this.waitNanos = waitNanos;
        this.askedAt = askedAt;
    }

    /** What a snapshot shows of it. */
    LocalWaiter toLocal(Look look, int position) {
        return new LocalWaiter(
                ResourceType.LATCH,
                name,
                null,
                0,
                new LocalOwner(LocalOwner.Kind.HANDLE, 0, thread),
                look.when(askedAt),
                waitNanos == FOREVER ? null : Duration.ofNanos(Math.max(0, askedAt + waitNanos - look.now())),
                position);
    }

    /** Whether it wants an answer now rather than an open latch later. */
    boolean nonBlocking() {
        return waitNanos <= 0 || overdue;
    }

    boolean timed() {
        return waitNanos > 0 && waitNanos != FOREVER;
    }
}
