package io.holdfast.spring;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * A call that returns a plain value, under its locks.
 *
 * <p>Without a transaction: take, run, give back. A transaction that begins inside is checked by {@link LockTransactionListener} before it
 * commits. If a transaction is active already, the locks are given back by {@link HeldSynchronization} when that has completed.
 */
final class LockedCall {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            LockedCall.class.getClassLoader());

    private LockedCall() {}

    /** @param skipped the result if the lock is busy and the settings say to skip */
    static <T, E extends Throwable> @Nullable T run(
            List<LockTarget> targets, LockSettings settings, LockedAction<T, E> action, Supplier<@Nullable T> skipped)
            throws E {
        boolean inTransaction = joinsTransaction(targets, settings);
        Held held = Locking.acquire(targets, settings);
        if (held == null) {
            if (settings.skips()) {
                return skipped.get();
            }
            throw Locking.busy(targets, settings);
        }
        if (inTransaction) {
            HeldSynchronization.register(held);
        }
        Interruption interruption = Interruption.when(settings.onLost(), held.lease());
        LockScope.enter(held);
        @Nullable T result;
        try {
            result = action.run(held.lease());
        } catch (Throwable failure) {
            LockScope.leave(held);
            interruption.end();
            if (!inTransaction) {
                held.release(failure);
            }
            throw failure;
        }
        LockScope.leave(held);
        interruption.end();
        if (inTransaction) {
            held.verify();
        } else {
            held.release();
        }
        return result;
    }

    /** Whether a transaction is active, in which the locks are to stay. */
    static boolean joinsTransaction(List<LockTarget> targets, LockSettings settings) {
        return TRANSACTIONS && HeldSynchronization.joins(targets, settings);
    }
}
