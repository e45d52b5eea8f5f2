package io.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How a claim stays with its client while nobody there needs it. Made when it first does. */
final class Stay {

    /** When it has to be given back, however often it is taken up. */
    final long end;

    /** Until when it stays this time. */
    long until;

    /** Whether the queue's timer is set for that, or for an earlier time. */
    boolean armed;

    private @Nullable Hold leaver;
    private @Nullable CompletableFuture<Void> left;

    Stay(long end) {
        this.end = end;
    }

    /** Who left last waits until the claim is given back or taken up. */
    void waitsWith(Hold last, CompletableFuture<Void> done) {
        leaver = last;
        left = done;
    }

    /** Somebody has taken it up: who left last need not wait any longer. */
    void takenUp() {
        if (left != null) {
            left.complete(null);
        }
        leaver = null;
        left = null;
    }

    /** Who still waits for it to be given back. */
    @Nullable
    Hold leaver() {
        return leaver;
    }

    /** What that one waits for; nobody hears of it otherwise. */
    CompletableFuture<Void> left() {
        return left == null ? new CompletableFuture<>() : left;
    }
}
