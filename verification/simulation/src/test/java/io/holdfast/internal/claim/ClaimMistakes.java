package io.holdfast.internal.claim;

import io.holdfast.internal.Mistakes;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** What is woven into this package to make it wrong, where it has to see the package's own types; see {@link Mistakes}. */
@SuppressWarnings("UnusedVariable") // what is assigned here is read where it is woven in
public final class ClaimMistakes {

    private ClaimMistakes() {}

    /** {@code Watchdog.answered} counts from the answer, not from the sending. */
    public static final class RenewalFromTheAnswer {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) ActiveClaim kept, @Advice.Argument(value = 2, readOnly = false) long sentAt) {
            sentAt = kept.engine().now();
        }
    }

    /** {@link Hold#lost} tells twice. */
    public static final class ToldTwice {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("loss") Hold.Loss loss) {
            if (loss != null) {
                loss.actions.addAll(List.copyOf(loss.actions));
            }
        }
    }
}
