/** Distributed locks: the API, the SPI that stores implement, the engine and an in-memory store. */
module io.holdfast {
    // Where it is missing, nothing is recorded.
    requires static jdk.jfr;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.holdfast;
    exports io.holdfast.spi;
    exports io.holdfast.spi.support;

    uses io.holdfast.spi.LockStoreProvider;

    provides io.holdfast.spi.LockStoreProvider with
            io.holdfast.internal.memory.MemoryStoreProvider;
}
