package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The default store")
class DefaultStoreTest {

    @TempDir
    private Path directory;

    @Test
    @DisplayName("is in the state directory of the user, as the system has it")
    void isThere() {
        assertThat(new DefaultStore(Map.of("HOME", "/home/me"), false).directory())
                .isEqualTo(Path.of("/home/me/.local/state/holdfast"));
        assertThat(new DefaultStore(Map.of("HOME", "/home/me", "XDG_STATE_HOME", "/state"), false).directory())
                .isEqualTo(Path.of("/state/holdfast"));
        assertThat(new DefaultStore(Map.of("HOME", "/home/me", "XDG_STATE_HOME", "relative"), false).directory())
                .isEqualTo(Path.of("/home/me/.local/state/holdfast"));
        assertThat(new DefaultStore(Map.of("LOCALAPPDATA", "/local"), true).directory())
                .isEqualTo(Path.of("/local/holdfast"));
    }

    @Test
    @DisplayName("is for this user only, also where it was open to others")
    void isPrivate() throws Exception {
        Path open = Files.createDirectory(directory.resolve("holdfast"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        new DefaultStore(Map.of("XDG_STATE_HOME", directory.toString()), false).url();
        assertThat(Files.getPosixFilePermissions(open)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    @DisplayName("says what to do where it can't be used")
    void cannotBeUsed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        for (String state : new String[] {file.toString(), directory + "/a;b"}) {
            assertThatThrownBy(() -> new DefaultStore(Map.of("XDG_STATE_HOME", state), false).url())
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("HOLDFAST_URL");
        }
    }
}
