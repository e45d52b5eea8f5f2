package io.holdfast.internal.election;

import io.holdfast.Candidate;
import io.holdfast.Leadership;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The candidate of a caller, whose calls end when they return. */
final class BlockingCandidate implements CandidateCalls {

    private interface Call {
        void run(Leadership leadership) throws Exception;
    }

    private final Candidate candidate;

    /** At most two of one leadership, and none where nothing is called. */
    private final Set<Thread> calling = ConcurrentHashMap.newKeySet();

    BlockingCandidate(Candidate candidate) {
        this.candidate = candidate;
    }

    @Override
    public CompletionStage<Void> granted(Leadership leadership) {
        return call(candidate::granted, leadership);
    }

    @Override
    public CompletionStage<Void> revoked(Leadership leadership) {
        return call(candidate::revoked, leadership);
    }

    @Override
    public void campaignFailed(Throwable failure) {
        candidate.campaignFailed(failure);
    }

    @Override
    public boolean isCalling() {
        return calling.contains(Thread.currentThread());
    }

    private CompletionStage<Void> call(Call call, Leadership leadership) {
        calling.add(Thread.currentThread());
        try {
            call.run(leadership);
            return CompletableFuture.completedFuture(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the thread is the executor's
            return CompletableFuture.failedFuture(e);
        } catch (Exception | Error e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            calling.remove(Thread.currentThread());
        }
    }
}
