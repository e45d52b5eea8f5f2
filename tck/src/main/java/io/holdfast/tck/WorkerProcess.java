package io.holdfast.tck;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Worker} in a JVM of its own, with this one's class path. Starting a JVM takes more than most tests do, so one that is
 * closed in good order is kept for the next test.
 */
public final class WorkerProcess implements AutoCloseable {

    /** To start a JVM on a loaded machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /** To give back what it holds. One that is in the middle of something is ended instead. */
    private static final Duration DISCONNECTING = Duration.ofSeconds(3);

    private static final int MOST_IDLE = 6;

    private static final Deque<WorkerProcess> IDLE = new ArrayDeque<>();

    private final Process process;
    private final BufferedWriter commands;
    private final List<String> said = new ArrayList<>();
    private boolean paused;

    private WorkerProcess(Process process) {
        this.process = process;
        this.commands = process.outputWriter();
    }

    /** Connects a process to the store, a new one if need be; it says {@code ready} when it is. */
    public static WorkerProcess start(String uri, Duration lease) throws IOException {
        @Nullable WorkerProcess worker;
        synchronized (IDLE) {
            worker = IDLE.poll();
        }
        if (worker == null || !worker.process.isAlive()) {
            worker = newProcess();
        }
        worker.tell("connect " + lease.toMillis() + " " + uri);
        return worker;
    }

    private static WorkerProcess newProcess() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        WorkerProcess worker = new WorkerProcess(process);
        Thread reader = new Thread(worker::read, "tck-worker-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        return worker;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            @Nullable String line;
            while ((line = lines.readLine()) != null) {
                synchronized (said) {
                    said.add(line);
                    said.notifyAll();
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The process was killed; a test that expects more output notices.
        }
    }

    /** Tells it what to do, without waiting for it. */
    public void tell(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
    }

    /** Tells it what to do and waits for an answer that begins like this. */
    public String ask(String command, String beginning) throws Exception {
        tell(command);
        return expect(beginning);
    }

    /** Takes the lock, and gives the token. */
    public long lock(String name) throws Exception {
        return tokenOf(ask("lock " + name, "granted "));
    }

    public static long tokenOf(String granted) {
        return Long.parseLong(granted.substring("granted ".length()));
    }

    /** Waits for it to say something that begins like this, and forgets that line. */
    public String expect(String beginning) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (said) {
            while (true) {
                for (int i = 0; i < said.size(); i++) {
                    if (said.get(i).startsWith(beginning)) {
                        return said.remove(i);
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || hasSaid("failed")) {
                    throw new AssertionError("process " + process.pid() + " did not say '" + beginning + "', but "
                            + said + (process.isAlive() ? "" : ", and ended with " + process.exitValue()));
                }
                said.wait(left);
            }
        }
    }

    /** Whether it has said something that begins like this. */
    public boolean hasSaid(String beginning) {
        synchronized (said) {
            return said.stream().anyMatch(line -> line.startsWith(beginning));
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Stops it where it is: no code of its own runs until {@link #resume}. */
    public void pause() throws Exception {
        signal("STOP");
        paused = true;
    }

    public void resume() throws Exception {
        signal("CONT");
        paused = false;
    }

    /** Ends it without letting it clean up. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    public void awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("process " + process.pid() + " did not end");
        }
    }

    private void signal(String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill -" + signal + " failed");
        }
    }

    /** Gives back what it holds, if it can, and is used again; otherwise it ends. */
    @Override
    public void close() throws Exception {
        if (paused || !process.isAlive() || !disconnects()) {
            kill();
            return;
        }
        synchronized (IDLE) {
            if (IDLE.size() < MOST_IDLE) {
                IDLE.push(this);
                return;
            }
        }
        kill();
    }

    private boolean disconnects() throws InterruptedException {
        try {
            tell("disconnect");
        } catch (IOException e) {
            return false; // it has just ended
        }
        long deadline = System.nanoTime() + DISCONNECTING.toNanos();
        synchronized (said) {
            while (!hasSaid("disconnected")) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || hasSaid("busy")) {
                    return false;
                }
                said.wait(left);
            }
            said.clear();
            return true;
        }
    }
}
