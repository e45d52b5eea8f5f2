package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The process that has an H2 file open")
class FileOwnerTest extends StoreTest {

    @TempDir
    private Path directory;

    @Test
    @DisplayName("may be killed: what it had granted to others is still theirs, and they go on")
    void mayBeKilled() throws Exception {
        String uri = "jdbc:h2:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE";
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FileOwner.class.getName(),
                        // As the store opens it: the first to open a file decides when it is written.
                        uri + ";WRITE_DELAY=0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader says =
                new BufferedReader(new InputStreamReader(owner.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(says.readLine()).isEqualTo("true");
            JdbcStore store = opened(JdbcStore.open(uri, CONFIG));
            Claim claim = newClaim(newName());
            token(store.claim(claim));
            owner.destroyForcibly();
            assertThat(owner.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(get(store.inspect(Kind.LOCK, claim.name())).holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.claimId()).isEqualTo(claim.id()));
            assertThat(isGranted(store.claim(newClaim(claim.name())))).isFalse();
            assertThat(get(store.release(claim)).held()).isTrue();
        } finally {
            owner.destroyForcibly();
        }
    }
}
