package io.holdfast.tck;

import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import java.util.concurrent.CompletionStage;

/** Latches that pass everything on, for tests that count or lose answers. */
public class ForwardingLatches implements LatchStore {

    private final LatchStore latches;

    public ForwardingLatches(LatchStore latches) {
        this.latches = latches;
    }

    /** What becomes of an answer; called once for every command. */
    protected <T> CompletionStage<T> pass(CompletionStage<T> answer) {
        return answer;
    }

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        return pass(latches.set(name, id, count));
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        return pass(latches.countDown(name, id));
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return pass(latches.look(name));
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        return pass(latches.delete(name, id));
    }
}
