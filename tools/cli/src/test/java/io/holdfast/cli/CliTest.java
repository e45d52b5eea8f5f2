package io.holdfast.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests share: a default store of their own, and processes that end with the test. */
abstract class CliTest {

    /** What a command said, and how it ended. */
    record Said(int exitCode, String out, String err) {}

    @TempDir
    Path directory;

    private final List<CliProcess> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(CliProcess::close);
    }

    CliProcess start(String... args) throws IOException {
        return keep(CliProcess.start(directory, environment(), args));
    }

    private String said() throws IOException {
        StringBuilder all = new StringBuilder();
        for (CliProcess one : started) {
            all.append("; ")
                    .append(one.isAlive() ? "running: " : "ended: ")
                    .append(one.out())
                    .append(one.err());
        }
        return all.toString();
    }

    CliProcess keep(CliProcess process) {
        started.add(process);
        return process;
    }

    Map<String, String> environment() {
        return CliProcess.stateIn(directory);
    }

    /** The default store of {@link #environment}. */
    String url() {
        return new DefaultStore(environment()).url();
    }

    /** Runs the command line in this JVM, which is quicker: not for what handles signals. */
    static Said say(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Cli.execute(args, new PrintWriter(out), new PrintWriter(err));
        return new Said(exitCode, out.toString(), err.toString());
    }

    /** Waits for a file that a command writes, and reads it. */
    String content(String file) throws Exception {
        Path path = directory.resolve(file);
        CliProcess.until(() -> Files.exists(path) && Files.size(path) > 0, () -> file + " was not written" + said());
        return Files.readString(path).strip();
    }
}
