package io.holdfast.examples.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Leader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The example of a leader")
class SuccessionTest {

    @Test
    @DisplayName("has four leaders one after the other: the first is killed, the second paused, the third resigns")
    void succession(@TempDir Path directory) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        List<Leader> leaders = Main.run("jdbc:h2:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE");
        assertThat(leaders).hasSize(4);
        assertThat(leaders).extracting(Leader::token).isSorted().doesNotHaveDuplicates();
        assertThat(leaders.get(3).value())
                .as("the one that was paused")
                .isEqualTo(leaders.get(1).value());
        assertThat(leaders.subList(0, 3)).extracting(Leader::value).doesNotHaveDuplicates();
    }
}
