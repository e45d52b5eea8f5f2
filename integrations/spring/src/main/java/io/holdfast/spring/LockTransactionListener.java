package io.holdfast.spring;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses the commit of a transaction that runs under a lock that is lost: the transaction rolls back, and its caller gets a
 * {@link io.holdfast.LeaseLostException}. The check is the last thing before the commit.
 *
 * <p>{@link EnableHoldfastLocks} adds it to every transaction manager of the context. Where {@link LockTemplate} is used without that, add it to
 * the transaction manager: {@code manager.addListener(new LockTransactionListener())}. It looks at the locks of the thread
 * that commits; reactive transactions are rolled back by cancelling them instead.
 */
public final class LockTransactionListener implements TransactionExecutionListener {

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        LockScope.verify();
    }
}
