package io.holdfast.internal.lock;

import io.holdfast.internal.Mistakes;
import io.holdfast.internal.claim.LockOwner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** What is woven into this package to make it wrong, where it has to see the package's own types; see {@link Mistakes}. */
@SuppressWarnings("UnusedVariable") // what is assigned here is read where it is woven in
public final class LockMistakes {

    private LockMistakes() {}

    /** {@link MultiAcquisition}: every other owner takes the locks the other way round. */
    public static final class Backwards {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(value = 0, readOnly = false) List<SingleLock> locks,
                @Advice.Argument(2) LockOwner owner) {
            if (owner.id() % 2 == 1) {
                List<SingleLock> reversed = new ArrayList<>(locks);
                Collections.reverse(reversed);
                locks = reversed;
            }
        }
    }

    /** {@link MultiAcquisition}: the first lock is taken as often as there are locks. */
    public static final class FirstInsteadOfAll {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) List<SingleLock> locks) {
            locks = Collections.nCopies(locks.size(), locks.get(0));
        }
    }
}
