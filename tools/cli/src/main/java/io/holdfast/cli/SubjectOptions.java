package io.holdfast.cli;

import io.holdfast.spi.ResourceType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is looked at: a name, and what it stands for. */
final class SubjectOptions {

    private static final int MAX_NAME_BYTES = 1_024;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    private String name;

    @ArgGroup
    private @Nullable Other other;

    private static final class Other {

        @Option(names = "--semaphore", description = "The name is that of a semaphore.")
        private boolean semaphore;

        @Option(names = "--latch", description = "The name is that of a latch.")
        private boolean latch;
    }

    String name() {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_NAME_BYTES) {
            throw new CliException(Exit.USAGE, "a name has 1 to " + MAX_NAME_BYTES + " bytes of UTF-8, not " + bytes);
        }
        return name;
    }

    ResourceType kind() {
        if (other == null) {
            return ResourceType.LOCK;
        }
        return other.latch ? ResourceType.LATCH : other.semaphore ? ResourceType.SEMAPHORE : ResourceType.LOCK;
    }
}
