package io.holdfast.redis;

import io.lettuce.core.RedisURI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Knows where a master is. */
interface Locator {

    CompletionStage<MasterLocation> find();

    /** Whether it may be somewhere else when it is looked for again. */
    boolean moves();

    /** Closes what it has asked by; the answer comes when that is closed. */
    CompletableFuture<?> closeAsync();

    /** A master that is always at one address. */
    static Locator fixed(@Nullable RedisURI uri) {
        MasterLocation location = new MasterLocation(uri, "", null);
        return new Locator() {
            @Override
            public CompletionStage<MasterLocation> find() {
                return CompletableFuture.completedFuture(location);
            }

            @Override
            public boolean moves() {
                return false;
            }

            @Override
            public CompletableFuture<?> closeAsync() {
                return CompletableFuture.completedFuture(null);
            }
        };
    }
}
