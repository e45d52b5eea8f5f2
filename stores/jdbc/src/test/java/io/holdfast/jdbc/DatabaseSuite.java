package io.holdfast.jdbc;

import io.holdfast.tck.StoreSuite;
import java.time.Duration;

/** The contract, on a database. */
abstract class DatabaseSuite extends StoreSuite {

    /** What was granted has to be written first. */
    @Override
    public Duration briefLease() {
        return Duration.ofMillis(30);
    }
}
