package io.holdfast.spring;

import java.util.concurrent.CompletableFuture;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The end of the transaction that is active in the current thread, as a future. */
final class TransactionEnd {

    private TransactionEnd() {}

    static CompletableFuture<Void> future() {
        CompletableFuture<Void> completed = new CompletableFuture<>();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                completed.complete(null);
            }
        });
        return completed;
    }
}
