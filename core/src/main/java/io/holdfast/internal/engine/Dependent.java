package io.holdfast.internal.engine;

import io.holdfast.internal.store.Futures;
import java.util.concurrent.CompletableFuture;

/** What is made of the engine's locks and has an end of its own: elections. */
public interface Dependent {

    /** There is nothing of the kind. */
    Dependent NONE = new Dependent() {
        @Override
        public CompletableFuture<Void> beforeLettingGo(boolean forGood) {
            return Futures.KNOWN;
        }

        @Override
        public int inUse() {
            return 0;
        }
    };

    /**
     * The engine is about to give back all that is held.
     *
     * @param forGood whether it takes nothing new after that
     * @return completes when it may, within the client's time-out
     */
    CompletableFuture<Void> beforeLettingGo(boolean forGood);

    /** What a test may count; see {@link Engine#inUse}. */
    int inUse();
}
