package io.holdfast.spring.boot;

import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import org.jspecify.annotations.Nullable;

/** Nothing says where the locks are kept. */
final class NoStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable StoreType wanted;

    NoStoreException(@Nullable StoreType wanted) {
        super(
                wanted == null
                        ? "nothing says where Holdfast keeps its locks"
                        : "holdfast.store is " + HoldfastAnalyzers.name(wanted)
                                + ", but the application has no such connection");
        this.wanted = wanted;
    }

    @Nullable
    StoreType wanted() {
        return wanted;
    }
}
