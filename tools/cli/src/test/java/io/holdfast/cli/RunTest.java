package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("holdfast run")
class RunTest extends CliTest {

    private static final List<String> ODD =
            List.of("", " ", "a b", "--", "-n", "--url", "@file", "$HOME", "$(id)", "*", "'", "\"", "\\", "grüße €\n!");

    @Test
    @DisplayName("passes on arguments, input, output, errors and the exit code, and tells the lock and its token")
    void passesOn() throws Exception {
        String script = "cat; echo $HOLDFAST_LOCK; echo $HOLDFAST_TOKEN >token; echo warning >&2;"
                + " for a; do printf '%s\\0' \"$a\"; done; exit 7";
        CliProcess run = start(concat(List.of("run", "a läck", "--", "sh", "-c", script, "sh"), ODD));
        run.write("input\n");
        assertThat(run.exitCode()).isEqualTo(7);
        assertThat(run.out()).isEqualTo("input\na läck\n" + String.join("\0", ODD) + "\0");
        assertThat(run.err()).isEqualTo("warning\n");
        assertThat(Long.parseLong(content("token"))).isPositive();
        assertThat(Files.getPosixFilePermissions(directory.resolve("holdfast")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    @DisplayName("does not run the command when somebody else has the lock: 75, at once or after the wait")
    void isNotHad() throws Exception {
        CliProcess holder = start("run", "busy", "--", "sh", "-c", "echo $HOLDFAST_TOKEN >token; sleep 1000");
        String token = content("token");
        CliProcess quiet = start("run", "-nq", "busy", "--", "touch", "ran");
        CliProcess waits = start("run", "--wait", "3", "busy", "--", "touch", "ran");
        CliProcess shared = start("run", "--json", "--shared", "--no-wait", "busy", "--", "touch", "ran");
        assertThat(quiet.exitCode()).isEqualTo(Exit.NOT_HAD);
        assertThat(quiet.err()).isEmpty();
        assertThat(waits.exitCode()).isEqualTo(Exit.NOT_HAD);
        assertThat(waits.err().strip().lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: 'busy' is held by run:sh on ")
                .contains("process " + holder.pid(), token);
        assertThat(shared.exitCode()).isEqualTo(Exit.NOT_HAD);
        assertThat(JsonReader.object(shared.err()).get("error").toString()).contains("is held by run:sh");
        assertThat(JsonReader.object(shared.err()).get("exit").toString()).isEqualTo("75");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("takes a name that begins with a dash, behind a -- of its own")
    void takesADash() throws Exception {
        CliProcess run = start("run", "--", "-odd", "--", "sh", "-c", "echo $HOLDFAST_LOCK >name");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(content("name").strip()).isEqualTo("-odd");
    }

    @Test
    @DisplayName(
            "waits as long as it takes, takes over when the other one ends, and has a greater token; in order if fair")
    void waits() throws Exception {
        String log = "echo $HOLDFAST_TOKEN >>tokens; echo \"$1\" >>order";
        start("run", "--fair", "a", "--", "sh", "-c", log + "; until [ -e go ]; do sleep 0.05; done", "sh", "1");
        content("order");
        CliProcess second = start("run", "--fair", "a", "--", "sh", "-c", log, "sh", "2");
        awaitWaiters(1);
        CliProcess third = start("run", "--fair", "a", "--", "sh", "-c", log, "sh", "3");
        awaitWaiters(2);
        Files.createFile(directory.resolve("go"));
        assertThat(second.exitCode()).isZero();
        assertThat(third.exitCode()).isZero();
        assertThat(content("order")).isEqualTo("1\n2\n3");
        List<Long> tokens = content("tokens").lines().map(Long::valueOf).toList();
        assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSize(3);
    }

    @Test
    @DisplayName("takes over on Redis as well, with all of its lease")
    void waitsOnRedis() throws Exception {
        try (TestRedis redis = TestRedis.start(directory)) {
            Map<String, String> environment = new HashMap<>(environment());
            environment.put("HOLDFAST_URL", redis.url());
            keep(CliProcess.start(
                    directory,
                    environment,
                    "run",
                    "a",
                    "--",
                    "sh",
                    "-c",
                    "echo 1 >here; until [ -e go ]; do sleep 0.05; done"));
            content("here");
            CliProcess second = keep(CliProcess.start(directory, environment, "run", "a", "--", "touch", "ran"));
            awaitWaiters(1, redis.url());
            Files.createFile(directory.resolve("go"));
            assertThat(second.exitCode()).as(second.err()).isZero();
            assertThat(directory.resolve("ran")).exists();
        }
    }

    private void awaitWaiters(int number) throws Exception {
        awaitWaiters(number, url());
    }

    private void awaitWaiters(int number, String url) throws Exception {
        CliProcess.until(
                () -> JsonReader.objects(JsonReader.object(say("show", "a", "--json", "--url", url)
                                                .out())
                                        .get("waiters"))
                                .size()
                        == number,
                () -> "nobody waits");
    }

    @Test
    @DisplayName("has readers together with readers")
    void shares() throws Exception {
        String meet = "touch $1; until [ -e $2 ]; do sleep 0.05; done";
        CliProcess one = start("run", "--shared", "a", "--", "sh", "-c", meet, "sh", "here", "there");
        CliProcess other = start("run", "--shared", "a", "--", "sh", "-c", meet, "sh", "there", "here");
        assertThat(one.exitCode()).isZero();
        assertThat(other.exitCode()).isZero();
    }

    @Test
    @DisplayName("says 127 for a command that is not there and 126 for one that can't be run, and gives the lock back")
    void cannotRun() throws Exception {
        Path text = Files.writeString(directory.resolve("text"), "no program");
        CliProcess missing = start("run", "--lease", "1h", "a", "--", "no-such-command");
        assertThat(missing.exitCode()).isEqualTo(Exit.NOT_FOUND);
        assertThat(missing.err())
                .isEqualTo("holdfast: 'no-such-command' was not found; write the path, or check PATH\n");
        CliProcess unfit = start("run", "-n", "a", "--", text.toString());
        assertThat(unfit.exitCode()).isEqualTo(Exit.NOT_EXECUTABLE);
        assertThat(unfit.err()).contains("can't be run: Permission denied");
    }

    @Test
    @DisplayName("says 69 in one line when the store can't be reached, without the password")
    void isUnreachable() throws Exception {
        TestRedis redis = TestRedis.start(directory);
        redis.kill();
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("HOLDFAST_URL", redis.url());
        CliProcess run =
                keep(CliProcess.start(directory, environment, "run", "--timeout", "500ms", "a", "--", "touch", "ran"));
        assertThat(run.exitCode()).isEqualTo(Exit.STORE);
        assertThat(run.err().strip().lines()).singleElement().asString().doesNotContain(TestRedis.PASSWORD);
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    private static String[] concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toArray(String[]::new);
    }
}
