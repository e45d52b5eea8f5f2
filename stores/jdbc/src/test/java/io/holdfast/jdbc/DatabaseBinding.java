package io.holdfast.jdbc;

import io.holdfast.tck.StoreBinding;
import java.time.Duration;

/** A database. */
interface DatabaseBinding extends StoreBinding {

    /** What was granted has to be written first. */
    @Override
    default Duration briefLease() {
        return Duration.ofMillis(30);
    }
}
