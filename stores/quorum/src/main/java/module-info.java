/** Locks kept by a majority of independent stores. */
module io.holdfast.quorum {
    requires transitive io.holdfast;
    requires static org.jspecify;
    requires org.slf4j;

    exports io.holdfast.quorum;
}
