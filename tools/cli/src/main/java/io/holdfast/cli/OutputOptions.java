package io.holdfast.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How things are said. */
final class OutputOptions {

    private static final String JSON = "--json";
    private static final String DEBUG = "--debug";

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(names = JSON, description = "Prints JSON; what goes to standard error is then JSON as well.")
    private boolean json;

    @Option(names = DEBUG, description = "Prints logs and stack traces to standard error.")
    @SuppressWarnings("UnusedVariable") // looked for before the rest is read
    private boolean debug;

    boolean isJson() {
        return json;
    }

    /** Standard output. */
    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** One line of standard output. */
    void print(String line) {
        out().println(line);
        out().flush();
    }

    /** One line to standard error: what happened, while standard output belongs to the command. */
    void tell(String message) {
        say(command.commandLine().getErr(), json, "message", message, Map.of());
    }

    /** One line to standard error: why this process is about to end with that exit code. */
    void fail(String message, int exitCode) {
        say(command.commandLine().getErr(), json, "error", message, Map.of("exit", exitCode));
    }

    /** A line of which nothing can be repeated that is secret. */
    static void say(PrintWriter err, boolean json, String kind, String message, Map<String, Object> more) {
        String masked = Secrets.masked(message.strip());
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put(kind, masked);
            line.putAll(more);
            err.println(Json.write(line));
        } else {
            err.println("holdfast: " + Text.line(masked));
        }
        err.flush();
    }

    static boolean wantJson(String[] args) {
        return options(args).contains(JSON);
    }

    static boolean wantDebug(String[] args) {
        return options(args).contains(DEBUG);
    }

    /** Also where the rest can't be understood: without what is behind a double dash, which is not for us. */
    private static List<String> options(String[] args) {
        List<String> all = Arrays.asList(args);
        int end = all.indexOf("--");
        return end < 0 ? all : all.subList(0, end);
    }
}
