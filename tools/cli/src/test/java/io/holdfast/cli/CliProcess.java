package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** The command line in a process of its own, as a user runs it; what it prints goes to files. */
final class CliProcess implements AutoCloseable {

    /** For what takes a moment on a machine that has much to do. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path out;
    private final Path err;

    private CliProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** The main class in a JVM of its own. */
    static CliProcess start(Path directory, Map<String, String> environment, String... args) throws IOException {
        return start(directory, environment, command(args));
    }

    static List<String> command(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Cli.class.getName()));
        command.addAll(List.of(args));
        return command;
    }

    static CliProcess start(Path directory, Map<String, String> environment, List<String> command) throws IOException {
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().putAll(environment);
        return new CliProcess(builder.start(), out, err);
    }

    /** An environment in which the default store is in that directory. */
    static Map<String, String> stateIn(Path directory) {
        Map<String, String> environment = new HashMap<>();
        environment.put("XDG_STATE_HOME", directory.toString());
        environment.put("LC_ALL", "C.UTF-8");
        return environment;
    }

    void write(String text) throws IOException {
        try (var in = process.outputWriter()) {
            in.write(text);
        }
    }

    /** Waits for its end. */
    int exitCode() throws InterruptedException, IOException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running; it said: " + out() + err());
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    void signal(String name) throws IOException, InterruptedException {
        signal(name, process.pid());
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid).start();
        assertThat(kill.waitFor()).isZero();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** Waits until it has printed this. */
    void says(String text) throws Exception {
        until(() -> out().contains(text), () -> "it said: " + out() + err());
    }

    static void until(Callable<Boolean> condition, Callable<String> otherwise) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError(otherwise.call());
            }
            Thread.sleep(10);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
