package io.holdfast.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A directory in which every holder has a file, so that processes can count each other. */
record Room(Path directory) {

    private static final long STAY_NANOS = 1_000_000;

    /** Enters, looks around and leaves; the answer is how many were there, this one included. */
    int visit() throws IOException {
        Path visitor = Files.createTempFile(directory, "visitor", "");
        try {
            LockSupport.parkNanos(STAY_NANOS);
            try (Stream<Path> inside = Files.list(directory)) {
                return (int) inside.count();
            }
        } finally {
            Files.delete(visitor);
        }
    }
}
