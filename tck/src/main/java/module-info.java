/** The contract that every store passes, as JUnit suites. */
module io.holdfast.tck {
    requires transitive io.holdfast;
    requires static org.jspecify;
    requires org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    exports io.holdfast.tck;

    uses io.holdfast.spi.LockStoreProvider;
}
