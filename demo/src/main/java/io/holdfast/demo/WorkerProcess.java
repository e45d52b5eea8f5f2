package io.holdfast.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The demo's hold on one {@link Worker}: tells it what to do, hears its reports, kills and pauses it. */
final class WorkerProcess implements AutoCloseable {

    private final String name;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, name);
        listener.setDaemon(true);
        listener.start();
    }

    /** Starts a JVM with this one's class path. It is ready when it reports so. */
    static WorkerProcess start(Settings settings) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Four of them start at once, and none lives long.
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName());
        settings.writeTo(builder.environment());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return new WorkerProcess(settings.name(), builder.start());
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void tell(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    /** The next report, if there is one in that time. */
    Optional<Report> poll(Duration wait) throws InterruptedException {
        Report report = reports.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
        if (report != null && (report.is("ended") || report.is("failed"))) {
            throw new DemoException(name + " " + report);
        }
        return Optional.ofNullable(report);
    }

    /** Waits for the report with that word and drops earlier ones. */
    Report await(String word) throws InterruptedException {
        // Far longer than any of them takes; only so that nothing can hang.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            Optional<Report> report = poll(Duration.ofNanos(deadline - System.nanoTime()));
            if (report.isEmpty()) {
                throw new DemoException(name + " did not report '" + word + "' within 30 s");
            }
            if (report.get().is(word)) {
                return report.get();
            }
        }
    }

    /** SIGKILL: it has no chance to give anything back. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    static boolean canPause() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    /** SIGSTOP: no thread of it runs on, and it does not notice. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT: it runs on as if nothing had happened. */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        // The shell's own kill: a small container has no other.
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (kill.waitFor() != 0) {
            throw new DemoException("could not send SIG" + signal + " to " + name);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                reports.add(Report.parse(line));
            }
        } catch (IOException e) {
            // The stream of a killed process may be closed under the reader; that is an end like any other.
        }
        reports.add(new Report("ended", List.of()));
    }
}
