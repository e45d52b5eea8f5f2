package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The bench")
class BenchTest {

    @TempDir
    private Path out;

    @Test
    @DisplayName("measures with processes of its own on a Redis of its own, and leaves a page and a file")
    void smoke() throws Exception {
        int code =
                Bench.run("--quick", "--only", "single", "--contestants", "holdfast,ceiling", "--out", out.toString());
        assertThat(code).isZero();
        assertThat(Files.readString(out.resolve("report.html"))).contains("1 thread, 1 lock", "<svg");
        assertThat(Files.readString(out.resolve("results.json"))).contains("\"holdfast\"", "\"ratioToCeiling\"");
    }

    @Test
    @DisplayName("measures shared and lingering locks, many that are held and who gets how much")
    void family() throws Exception {
        int code = Bench.run(
                "--quick",
                "--seconds",
                "2",
                "--only",
                "readwrite,reentry,linger,shares,held,commands,startup",
                "--contestants",
                "holdfast",
                "--out",
                out.toString());
        assertThat(code).isZero();
        assertThat(Files.readString(out.resolve("results.json")))
                .contains("\"longestWrite\"", "\"allocated\"", "\"least4\"", "\"serverBytes\"");
    }

    @Test
    @DisplayName("measures another library beside it")
    void beside() throws Exception {
        int code =
                Bench.run("--quick", "--only", "fair", "--contestants", "holdfast,redisson", "--out", out.toString());
        assertThat(code).isZero();
        assertThat(Files.readString(out.resolve("results.json"))).contains("\"holdfast\"", "\"redisson\"");
    }

    @Test
    @DisplayName(
            "measures many clients on servers that it starts for them, and two libraries beside each other on one lock")
    void fleets() throws Exception {
        int code = Bench.run(
                "--quick",
                "--seconds",
                "1",
                "--only",
                "fleet-replicas-fair,fleet-cluster,mixed",
                "--contestants",
                "holdfast",
                "--out",
                out.toString());
        assertThat(code).isZero();
        assertThat(Files.readString(out.resolve("results.json")))
                .contains("\"holds20\"", "\"calls20\"", "\"server20\"", "\"even20\"", "\"longest20\"")
                .contains("\"redissonTurns0\"", "Redisson");
    }

    @Test
    @DisplayName("says what is wrong with its arguments, and does nothing")
    void wrong() throws Exception {
        assertThat(Bench.run("--rounds", "many", "--out", out.toString())).isEqualTo(2);
        assertThat(out).isEmptyDirectory();
    }
}
