/** The command line: commands under a lock, and a view of the holders. */
module io.holdfast.cli {
    requires info.picocli;
    requires io.holdfast;
    requires jdk.unsupported;
    requires static org.jspecify;

    uses io.holdfast.spi.LockStoreProvider;

    opens io.holdfast.cli to
            info.picocli;
}
