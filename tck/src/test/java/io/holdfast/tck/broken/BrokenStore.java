package io.holdfast.tck.broken;

import io.holdfast.tck.StoreSuite;
import java.util.UUID;

/** The suite on a store with a fault. It fails, so it is not run as a test of its own; see {@link BrokenStoreTest}. */
final class BrokenStore extends StoreSuite {

    private static volatile String uri = "";

    /** Which fault the next run has. */
    static void breaks(Fault fault) {
        uri = "broken:" + fault + ":" + UUID.randomUUID();
    }

    @Override
    public String uri() {
        return uri;
    }
}
