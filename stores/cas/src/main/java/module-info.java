/** The kernel of stores that can compare and set. */
module io.holdfast.cas {
    requires transitive io.holdfast;
    requires static org.jspecify;
    requires org.slf4j;

    exports io.holdfast.cas;
}
