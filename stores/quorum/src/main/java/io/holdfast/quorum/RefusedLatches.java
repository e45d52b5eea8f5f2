package io.holdfast.quorum;

import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.ResourceType;
import java.util.concurrent.CompletionStage;

/** The latches of a store that can't keep any. */
final class RefusedLatches implements LatchStore {

    interface Refusal {
        <T> CompletionStage<T> of(ResourceType kind, String name);
    }

    private final Refusal refusal;

    RefusedLatches(Refusal refusal) {
        this.refusal = refusal;
    }

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        return refusal.of(ResourceType.LATCH, name);
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        return refusal.of(ResourceType.LATCH, name);
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return refusal.of(ResourceType.LATCH, name);
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        return refusal.of(ResourceType.LATCH, name);
    }
}
