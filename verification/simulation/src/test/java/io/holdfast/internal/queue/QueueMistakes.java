package io.holdfast.internal.queue;

import io.holdfast.internal.Mistakes;
import net.bytebuddy.asm.Advice;

/** What is woven into this package to make it wrong, where it has to see the package's own types; see {@link Mistakes}. */
public final class QueueMistakes {

    private QueueMistakes() {}

    /** {@code PlainQueue.wakesUp} forgets it. */
    public static final class NotAwake {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Waiter waiter) {
            waiter.awake = false;
        }
    }
}
