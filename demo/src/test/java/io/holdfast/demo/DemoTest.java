package io.holdfast.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The demo")
class DemoTest {

    @TempDir
    Path temp;

    @Test
    @DisplayName("shows all that it promises, ends by itself and leaves nothing behind")
    void playsAllScenes() throws Exception {
        Run run = run("--quick");

        assertThat(run.exitCode).as(run.output).isZero();
        assertThat(run.output.lines())
                .anyMatch(line -> line.matches("1 no lock .* lost +yes"))
                .anyMatch(line -> line.matches("2 Holdfast lock .* 0 of [\\d,]+ lost, rising +yes"))
                .anyMatch(line -> line.matches("3 holder killed .* after [\\d.]+ s +yes"))
                .anyMatch(line -> line.matches("4 holder paused .* refused +yes"))
                .anyMatch(line -> line.matches("5 read/write .* up to [2-4] or 1 +yes"))
                .anyMatch(line -> line.matches("6 semaphore .* 3 in \\d+ turns +yes"))
                .anyMatch(line -> line.matches("7 latch .* 4 go on, after 5 calls +yes"))
                .anyMatch(line -> line.matches("8 multi-lock .* 3,000, [\\d,]+ transfers +yes"))
                .anyMatch(line -> line.matches("9 fair lock .* in order, [\\d.]+ s +yes"));
        assertThat(run.children).hasSizeGreaterThan(Options.WORKERS);
        awaitEnd(run.children);
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    @DisplayName("that is killed takes its processes with it")
    void leavesNoProcesses() throws Exception {
        Process demo = start("--quick");
        CompletableFuture<String> output = read(demo);
        List<ProcessHandle> children = new ArrayList<>();
        // A Redis, what watches over it, and the workers.
        while (children.size() < Options.WORKERS + 2 && demo.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(20);
            children = demo.descendants().toList();
        }
        demo.destroyForcibly().waitFor();

        assertThat(children).as("the processes of %s", output.join()).hasSizeGreaterThan(Options.WORKERS);
        awaitEnd(children);
    }

    @Test
    @DisplayName("explains itself and names what it does not understand")
    void explainsItself() throws Exception {
        Run help = run("--help");
        assertThat(help.exitCode).isZero();
        assertThat(help.output).contains("Usage:");

        Run unknown = run("--fast");
        assertThat(unknown.exitCode).isEqualTo(2);
        assertThat(unknown.output).contains("unknown argument '--fast'", "Usage:");
    }

    @Test
    @DisplayName("says so when there is no Redis where it was sent, and keeps the password to itself")
    void needsRedis() throws Exception {
        Run run = run("--url", "redis://:s3cret@127.0.0.1:1");
        assertThat(run.exitCode).isEqualTo(2);
        assertThat(run.output).contains("can't reach").doesNotContain("s3cret");
    }

    private static void awaitEnd(List<ProcessHandle> processes) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (processes.stream().anyMatch(DemoTest::isRunning)) {
            assertThat(System.nanoTime()).as("still running: %s", processes).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** An orphan that has ended, and that the system has not cleared away yet, still counts as alive; it has no command. */
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    private record Run(int exitCode, String output, List<ProcessHandle> children) {}

    private Run run(String... args) throws Exception {
        Process demo = start(args);
        CompletableFuture<String> output = read(demo);
        List<ProcessHandle> children = new ArrayList<>();
        while (!demo.waitFor(100, TimeUnit.MILLISECONDS)) {
            demo.descendants().filter(child -> !children.contains(child)).forEach(children::add);
        }
        return new Run(demo.exitValue(), output.join(), children);
    }

    private Process start(String... args) throws IOException {
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temp,
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName());
        return new ProcessBuilder(Stream.concat(java, Stream.of(args)).toList())
                .redirectErrorStream(true)
                .start();
    }

    private static CompletableFuture<String> read(Process process) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
