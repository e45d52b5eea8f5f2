package io.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process and its descendants. Descendants are found by their parents; on Linux, after a parent has ended, also
 * by the variables that the command was given and that they have inherited.
 */
final class ProcessTree {

    private static final Path PROC = Path.of("/proc");
    private static final String KILL_ALL = "s=\"$1\"; shift; kill -s \"$s\" \"$@\"";

    private final ProcessHandle root;
    private final List<String> marks;

    /** All that were ever found: a process that loses its parent is not found by it again. */
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    /** @param marks variables that the root has in its environment, and nothing that does not come from it */
    ProcessTree(ProcessHandle root, Map<String, String> marks) {
        this.root = root;
        this.marks = marks.entrySet().stream()
                .map(mark -> mark.getKey() + "=" + mark.getValue())
                .toList();
        known.add(root);
    }

    /** The processes that run now. */
    List<ProcessHandle> running() {
        for (ProcessHandle process : List.copyOf(known)) {
            if (process.isAlive()) {
                process.descendants().forEach(known::add);
            }
        }
        if (Files.isDirectory(PROC)) {
            ProcessHandle.allProcesses()
                    .filter(process -> !known.contains(process) && isMarked(process))
                    .forEach(known::add);
        }
        known.remove(ProcessHandle.current());
        return known.stream().filter(ProcessTree::isRunning).toList();
    }

    /** The processes found before that still run. */
    List<ProcessHandle> remaining() {
        return known.stream().filter(ProcessTree::isRunning).toList();
    }

    /** Sends all of them a signal that asks to end. */
    void signal(String name) throws InterruptedException {
        List<ProcessHandle> targets = running();
        if (name.equals("TERM") || !send(name, targets)) {
            targets.forEach(ProcessTree::end); // no shell: end them all the same
        }
    }

    /** Sends a signal to the root of the tree. */
    void signalRoot(String name) throws InterruptedException {
        if (isRunning(root)) {
            send(name, List.of(root));
        }
    }

    /** Whether there is a shell to send it. */
    private static boolean send(String name, List<ProcessHandle> targets) throws InterruptedException {
        if (targets.isEmpty()) {
            return true;
        }
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", KILL_ALL, "sh", name));
        targets.forEach(process -> command.add(Long.toString(process.pid())));
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor(5, TimeUnit.SECONDS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** SIGTERM for all, also for children that they start meanwhile, and SIGKILL for what is left in the end. */
    void stop(long graceNanos) throws InterruptedException {
        Set<ProcessHandle> told = new LinkedHashSet<>();
        long start = System.nanoTime();
        List<ProcessHandle> left = running();
        while (!left.isEmpty() && System.nanoTime() - start < graceNanos) {
            left.stream().filter(told::add).forEach(ProcessTree::end);
            pause();
            left = running();
        }
        long killing = System.nanoTime();
        while (!left.isEmpty() && System.nanoTime() - killing < TimeUnit.SECONDS.toNanos(5)) {
            left.forEach(ProcessTree::kill);
            pause();
            left = running();
        }
    }

    /** Waits until the processes found before have ended, and returns whether they have. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        while (!remaining().isEmpty()) {
            if (System.nanoTime() - start > nanos) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(20);
    }

    private static void end(ProcessHandle process) {
        process.destroy();
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
    }

    /** A process that has ended and whose parent has not asked for its exit code does nothing any more. */
    static boolean isRunning(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(
                    PROC.resolve(Long.toString(process.pid())).resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException | IndexOutOfBoundsException e) {
            return process.isAlive();
        }
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            byte[] environment = Files.readAllBytes(
                    PROC.resolve(Long.toString(process.pid())).resolve("environ"));
            List<String> variables = List.of(new String(environment, StandardCharsets.UTF_8).split("\0"));
            return variables.containsAll(marks);
        } catch (IOException e) {
            return false; // of another user, or gone
        }
    }
}
