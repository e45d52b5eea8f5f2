package io.holdfast.redis.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A counter that loses updates unless a lock keeps its users apart: it is read, and then written. */
final class RacyFile {

    private final Path path;

    RacyFile(Path path) {
        this.path = path;
    }

    void increment() throws IOException {
        int value = read();
        Thread.yield();
        Files.writeString(path, Integer.toString(value + 1));
    }

    int read() throws IOException {
        return Files.exists(path) ? Integer.parseInt(Files.readString(path)) : 0;
    }
}
