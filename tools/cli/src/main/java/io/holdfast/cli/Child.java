package io.holdfast.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The command as a process, with this one's input, output and errors. */
final class Child {

    private static final String CALLERS_LOCALE = "HOLDFAST_CALLER_LC_ALL";
    private static final List<String> OF_THE_TERMINAL = List.of("INT", "CONT", "WINCH");

    private final Process process;
    private final ProcessTree tree;
    private boolean told;

    private Child(Process process, ProcessTree tree) {
        this.process = process;
        this.tree = tree;
    }

    static Child start(List<String> command, String lock, long token) {
        Map<String, String> marks = Map.of("HOLDFAST_LOCK", lock, "HOLDFAST_TOKEN", Long.toString(token));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(marks);
        restoreLocale(builder.environment());
        try {
            Process process = builder.start();
            return new Child(process, new ProcessTree(process.toHandle(), marks));
        } catch (IOException e) {
            String file = command.get(0);
            boolean there = isThere(file);
            throw new CliException(
                    there ? Exit.NOT_EXECUTABLE : Exit.NOT_FOUND,
                    Text.quoted(file)
                            + (there ? " can't be run: " + reason(e) : " was not found; write the path, or check PATH"),
                    e);
        }
    }

    /** The launcher may have had to change it for us. */
    private static void restoreLocale(Map<String, String> environment) {
        String ours = environment.remove(CALLERS_LOCALE);
        if (ours != null) {
            if (ours.isEmpty()) {
                environment.remove("LC_ALL");
            } else {
                environment.put("LC_ALL", ours);
            }
        }
    }

    void onEnd(Runnable action) {
        process.onExit().thenRun(action);
    }

    /** 128 + n if it was ended by signal n. */
    int exitCode() {
        return process.exitValue();
    }

    /** Whether it has ended, if that is not known yet. */
    boolean hasEnded() {
        return !process.isAlive();
    }

    /**
     * Passes a signal on: one to end, to the command and all that came from it, since a shell that is told to end leaves what
     * it was running behind; any other to the command alone, which knows what it means. What the terminal has sent to all of
     * them is not sent twice.
     */
    void pass(Notice.Signalled signal) throws InterruptedException {
        if (OF_THE_TERMINAL.contains(signal.name()) && Terminal.isOurs()) {
            return;
        }
        if (Signals.isEnding(signal.name())) {
            told = true;
            tree.signal(signal.name());
        } else {
            tree.signalRoot(signal.name());
        }
    }

    void stop(Duration grace) throws InterruptedException {
        tree.stop(grace.toNanos());
    }

    /** Whether the signalled processes have ended, as the command itself has; waits for it. */
    boolean awaitThoseWhoWereTold(Duration atMost) throws InterruptedException {
        return !told || tree.awaitEnd(atMost.toNanos());
    }

    private static boolean isThere(String file) {
        if (file.indexOf('/') >= 0) {
            return Files.exists(Path.of(file));
        }
        String path = System.getenv("PATH");
        return path != null
                && Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(path)
                        .filter(directory -> !directory.isEmpty())
                        .anyMatch(directory -> Files.isRegularFile(Path.of(directory, file)));
    }

    /** Java says: Cannot run program "x" (in directory "y"): error=13, Permission denied. */
    private static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.substring(message.lastIndexOf(", ") + 1).strip();
    }
}
