package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("holdfast run, when it is sent a signal,")
class SignalTest extends CliTest {

    private static final Path SETSID = Path.of("/usr/bin/setsid");

    @ParameterizedTest(name = "SIG{0}")
    @CsvSource({"INT,2", "TERM,15", "HUP,1", "USR1,10", "USR2,12", "ALRM,14", "WINCH,28"})
    @DisplayName("passes it on, waits for the command's end with the lock, and exits as the command does:")
    void passesOn(String signal, int number) throws Exception {
        assumeThat(isIgnored(number))
                .as("ignored since before this JVM was started")
                .isFalse();
        String script = "trap 'echo told; until [ -e go ]; do sleep 0.05; done; exit 9' " + signal
                + "; echo ready; while :; do sleep 0.05; done";
        CliProcess run = startApart("run", "a", "--", "sh", "-c", script);
        run.says("ready");
        run.signal(signal);
        run.says("told");
        assertThat(holders()).hasSize(1);
        Files.createFile(directory.resolve("go"));
        assertThat(run.exitCode()).isEqualTo(9);
        assertThat(holders()).isEmpty();
    }

    @Test
    @DisplayName("that is not one to end, passes it on to the command alone, and goes on guarding it")
    void passesOnToOne() throws Exception {
        String script = "trap 'echo told' USR1; sh -c 'trap \"echo too many\" USR1; echo ready;"
                + " while :; do sleep 0.05; done' & while :; do sleep 0.05; done";
        CliProcess run = start("run", "a", "--", "sh", "-c", script);
        run.says("ready");
        run.signal("USR1");
        run.says("told");
        assertThat(holders()).hasSize(1);
        assertThat(run.isAlive()).isTrue();
        run.signal("TERM");
        assertThat(run.exitCode()).isEqualTo(128 + 15);
        assertThat(run.out()).doesNotContain("too many");
        assertThat(holders()).isEmpty();
    }

    @Test
    @DisplayName("does not wait for a store that does not answer: neither for the lock nor to give it back")
    void doesNotWait() throws Exception {
        try (TestRedis redis = TestRedis.start(directory)) {
            Map<String, String> environment = new HashMap<>(environment());
            environment.put("HOLDFAST_URL", redis.url());
            CliProcess holds = keep(CliProcess.start(
                    directory, environment, "run", "--lease", "5m", "a", "--", "sh", "-c", "echo ready; sleep 1000"));
            holds.says("ready");
            CliProcess waits =
                    keep(CliProcess.start(directory, environment, "run", "--fair", "a", "--", "touch", "ran"));
            CliProcess.until(() -> claimants("waiters", redis.url()).size() == 1, () -> "nobody waits");
            redis.pause();
            long start = System.nanoTime();
            waits.signal("TERM");
            holds.signal("TERM");
            assertThat(waits.exitCode()).isEqualTo(128 + 15);
            assertThat(holds.exitCode()).isEqualTo(128 + 15);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            assertThat(holds.err()).contains("ends by its lease");
        }
    }

    @Test
    @DisplayName("leaves nothing running that a shell would leave behind, and says by which signal the command ended")
    void reachesAll() throws Exception {
        CliProcess run = start("run", "a", "--", "sh", "-c", "sleep 1000 & echo $! >pid; echo ready; wait");
        run.says("ready");
        long sleeper = Long.parseLong(content("pid"));
        run.signal("TERM");
        assertThat(run.exitCode()).isEqualTo(128 + 15);
        assertThat(isRunning(sleeper)).isFalse();
        assertThat(holders()).isEmpty();
    }

    @Test
    @DisplayName("stops waiting for the lock, and takes it neither then nor later")
    void stopsWaiting() throws Exception {
        CliProcess holder = start("run", "--fair", "a", "--", "sh", "-c", "echo ready; sleep 1000");
        holder.says("ready");
        CliProcess waits = start("run", "--fair", "a", "--", "touch", "ran");
        CliProcess.until(() -> waiters().size() == 1, () -> "nobody waits");
        waits.signal("TERM");
        assertThat(waits.exitCode()).isEqualTo(128 + 15);
        assertThat(waiters()).isEmpty();
        holder.signal("TERM");
        assertThat(holder.exitCode()).isEqualTo(128 + 15);
        assertThat(holders()).isEmpty();
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("that kills it can't tell the command, which goes on; the lock is free when the lease has ended")
    void isKilled() throws Exception {
        CliProcess run = start("run", "--lease", "12s", "a", "--", "sh", "-c", "echo $$ >pid; exec sleep 1000");
        long command = Long.parseLong(content("pid"));
        run.signal("KILL");
        assertThat(run.exitCode()).isEqualTo(128 + 9);
        try {
            // The killed one also had the file open.
            CliProcess next = start("run", "a", "--", "true");
            assertThat(next.exitCode()).isZero();
            assertThat(isRunning(command)).isTrue();
        } finally {
            CliProcess.signal("KILL", command);
        }
    }

    /** Away from any terminal: what one has sent to all is not passed on. */
    private CliProcess startApart(String... args) throws IOException {
        List<String> command = CliProcess.command(args);
        if (Files.isExecutable(SETSID)) {
            command.add(0, SETSID.toString());
        } else {
            assumeThat(Terminal.isOurs()).as("in the foreground of a terminal").isFalse();
        }
        return keep(CliProcess.start(directory, environment(), command));
    }

    private List<Map<String, Object>> holders() {
        return claimants("holders", url());
    }

    private List<Map<String, Object>> waiters() {
        return claimants("waiters", url());
    }

    private static List<Map<String, Object>> claimants(String which, String url) {
        return JsonReader.objects(
                JsonReader.object(say("show", "a", "--json", "--url", url).out())
                        .get(which));
    }

    /** As SIGINT is by what a shell starts in the background; then everything that comes from it ignores it too. */
    private static boolean isIgnored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> Long.parseUnsignedLong(
                                line.substring("SigIgn:".length()).strip(), 16))
                        .anyMatch(mask -> (mask >> (signal - 1) & 1) == 1);
    }

    static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).map(ProcessTree::isRunning).orElse(false);
    }
}
