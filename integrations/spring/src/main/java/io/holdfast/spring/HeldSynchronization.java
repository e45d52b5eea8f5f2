package io.holdfast.spring;

import io.holdfast.HoldfastException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Holds locks that were taken in an open transaction until it has completed, and lets it commit only while they are held. */
final class HeldSynchronization implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(HeldSynchronization.class);

    /** Of how many names the log remembers that it has said so. */
    private static final int NAMES = 1_000;

    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private final Held held;

    private HeldSynchronization(Held held) {
        this.held = held;
    }

    /**
     * Whether a transaction is active that the locks are to stay in.
     *
     * @throws IllegalStateException if there is one and the settings refuse that
     */
    static boolean joins(List<LockTarget> targets, LockSettings settings) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        String label = Locking.label(targets);
        if (settings.inTransaction() == InTransaction.REFUSE) {
            throw new IllegalStateException(label + " is asked for in transaction '"
                    + TransactionSynchronizationManager.getCurrentTransactionName()
                    + "', which has already begun and may have read what it no longer may; take the lock first");
        }
        if (TOLD.size() < NAMES && TOLD.add(label)) {
            log.warn(
                    "{} is taken in transaction '{}', which has already begun. The lock is held until the transaction has"
                            + " completed, but what the transaction reads may be older than the lock, depending on its isolation;"
                            + " and while it waits for the lock it occupies a connection. Take the lock outside of the transaction.",
                    label,
                    TransactionSynchronizationManager.getCurrentTransactionName());
        }
        return true;
    }

    static void register(Held held) {
        try {
            TransactionSynchronizationManager.registerSynchronization(new HeldSynchronization(held));
        } catch (RuntimeException | Error e) {
            held.release(e);
            throw e;
        }
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        held.verify();
    }

    @Override
    public void afterCompletion(int status) {
        try {
            held.release();
        } catch (HoldfastException e) {
            log.warn("{} (the transaction {})", e.getMessage(), outcome(status));
        }
    }

    private static String outcome(int status) {
        return switch (status) {
            case STATUS_COMMITTED -> "was committed";
            case STATUS_ROLLED_BACK -> "was rolled back";
            default -> "has ended in an unknown way";
        };
    }
}
