package io.holdfast.spring.boot;

import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import java.util.List;

/** The application has several connections that the locks could be kept on. */
final class SeveralStoresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final List<StoreType> types;

    SeveralStoresException(List<StoreCandidate> candidates) {
        super("Holdfast could keep its locks on "
                + String.join(
                        " or on ",
                        candidates.stream().map(StoreCandidate::origin).toList())
                + ", and nothing says on which");
        this.types = candidates.stream().map(StoreCandidate::type).toList();
    }

    List<StoreType> types() {
        return types;
    }
}
