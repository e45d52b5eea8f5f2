package io.holdfast.bench.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** For the files of one run: marks, logs, what workers complained about. Gone with it. */
public record TemporaryDirectory(Path path) implements AutoCloseable {

    public static TemporaryDirectory create(Cleanup cleanup) throws IOException {
        return cleanup.add(new TemporaryDirectory(Files.createTempDirectory("holdfast-bench")));
    }

    @Override
    public void close() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(path)) {
            files = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
