package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command whose lease is lost")
class LossTest extends CliTest {

    @Test
    @DisplayName("is told with SIGTERM and killed after the grace time, with all that came from it: 74")
    void isStopped() throws Exception {
        // One that ignores SIGTERM, one whose parent has gone, and one that says goodbye.
        String script = "(trap '' TERM; echo $$ >parent; exec sleep 1000) & echo $! >stubborn;"
                + " sh -c 'sleep 1000 & echo $! >orphan';"
                + " trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
        CliProcess run = start("run", "--lease", "12s", "--grace", "2s", "a", "--", "sh", "-c", script);
        run.says("ready");
        long stubborn = Long.parseLong(content("stubborn"));
        long orphan = Long.parseLong(content("orphan"));
        String token = holderToken("a");

        assertThat(say("release", "a", "--token", "1", "--url", url()).exitCode())
                .isEqualTo(Exit.NOT_HAD);
        assertThat(run.isAlive()).isTrue();
        Said released = say("release", "a", "--token", token, "--url", url(), "--json");
        assertThat(released.exitCode()).isZero();
        assertThat(JsonReader.object(released.out())).containsEntry("name", "a");

        assertThat(run.exitCode()).isEqualTo(Exit.LEASE_LOST);
        assertThat(run.out()).endsWith("bye\n");
        assertThat(run.err()).startsWith("holdfast: the lease of 'a' is lost; stopping the command\n");
        assertThat(SignalTest.isRunning(stubborn)).isFalse();
        assertThat(SignalTest.isRunning(orphan)).isFalse();
    }

    @Test
    @DisplayName("because its store is gone is stopped before the lease has ended, so that nobody else can have it yet")
    void isStoppedEarly() throws Exception {
        try (TestRedis redis = TestRedis.start(directory)) {
            Map<String, String> environment = new HashMap<>(environment());
            environment.put("HOLDFAST_URL", redis.url());
            String script = "trap 'date +%s%N >told; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
            CliProcess run = keep(CliProcess.start(
                    directory, environment, "run", "--lease", "12s", "--grace", "2s", "a", "--", "sh", "-c", script));
            run.says("ready");
            redis.kill();
            assertThat(run.exitCode()).isEqualTo(Exit.LEASE_LOST);
            content("told");
            assertThat(run.err()).contains("could not be renewed and ends soon").doesNotContain(TestRedis.PASSWORD);
        }
    }

    @Test
    @DisplayName("while the command line stood still is stopped as soon as it goes on")
    void stoodStill() throws Exception {
        try (TestRedis redis = TestRedis.start(directory)) {
            Map<String, String> environment = new HashMap<>(environment());
            environment.put("HOLDFAST_URL", redis.url());
            CliProcess run = keep(CliProcess.start(
                    directory,
                    environment,
                    "run",
                    "--lease",
                    "12s",
                    "a",
                    "--",
                    "sh",
                    "-c",
                    "echo ready; exec sleep 1000"));
            run.says("ready");
            run.signal("STOP");
            CliProcess.until(
                    () -> say("ls", "--json", "--url", redis.url()).out().equals("[]\n"),
                    () -> "the lease did not end");
            run.signal("CONT");
            assertThat(run.exitCode()).isEqualTo(Exit.LEASE_LOST);
        }
    }

    private String holderToken(String name) {
        return JsonReader.objects(JsonReader.object(
                                say("show", name, "--json", "--url", url()).out())
                        .get("holders"))
                .get(0)
                .get("token")
                .toString();
    }
}
