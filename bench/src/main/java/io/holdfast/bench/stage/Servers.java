package io.holdfast.bench.stage;

import java.io.IOException;

/** What the locks of one measurement are kept in. */
public interface Servers extends AutoCloseable {

    /** For clients. */
    String url();

    /** What the servers that grant locks say of themselves, together; nothing where they are no Redis. */
    default ServerStats stats() {
        return ServerStats.NONE;
    }

    @Override
    void close() throws IOException, InterruptedException;
}
