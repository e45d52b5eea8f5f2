package io.holdfast.cli;

import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "holdfast",
        description = "Locks over processes and machines.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Cli.Version.class,
        subcommands = {
            RunCommand.class,
            ListCommand.class,
            ShowCommand.class,
            ReleaseCommand.class,
            WatchCommand.class,
            TokensCommand.class,
            CompletionCommand.class
        })
public final class Cli implements Runnable {

    /** What Java makes of bytes that are no text. */
    private static final char NOT_DECODED = '\uFFFD';

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec
    private CommandSpec spec;

    Cli() {}

    public static void main(String[] args) {
        System.exit(execute(args, writer(FileDescriptor.out), writer(FileDescriptor.err)));
    }

    static int execute(String[] args, PrintWriter out, PrintWriter err) {
        boolean json = OutputOptions.wantJson(args);
        boolean debug = OutputOptions.wantDebug(args);
        prepare(debug);
        CommandLine commandLine = commandLine()
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((e, given) -> failed(e.getCommandLine(), e, json, debug))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(command, e, json, debug));
        if (Arrays.stream(args).anyMatch(arg -> arg.indexOf(NOT_DECODED) >= 0)) {
            String why = "an argument is not UTF-8, or the locale is not, so that it can't be passed on as it is";
            return failed(commandLine, new CliException(Exit.USAGE, why), json, debug);
        }
        return commandLine.execute(args);
    }

    static CommandLine commandLine() {
        // An argument that begins with @ is the command's, as all of them are.
        return new CommandLine(new Cli())
                .setExpandAtFiles(false)
                .registerConverter(Duration.class, new DurationConverter());
    }

    private static void prepare(boolean debug) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", debug ? "debug" : "off");
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? holdfast --help lists them");
    }

    private static int failed(CommandLine command, Exception e, boolean json, boolean debug) {
        int exitCode = exitCode(e);
        PrintWriter err = command.getErr();
        OutputOptions.say(err, json, "error", message(command, e), Map.of("exit", exitCode));
        if (debug) {
            e.printStackTrace(err);
            err.flush();
        }
        return exitCode;
    }

    private static int exitCode(Exception e) {
        if (e instanceof CliException known) {
            return known.exitCode();
        }
        if (e instanceof LeaseLostException) {
            return Exit.LEASE_LOST;
        }
        if (e instanceof HoldfastException) {
            return Exit.STORE;
        }
        return e instanceof ParameterException || e instanceof IllegalArgumentException ? Exit.USAGE : Exit.INTERNAL;
    }

    private static String message(CommandLine command, Exception e) {
        String message = String.valueOf(e.getMessage());
        return switch (exitCode(e)) {
            case Exit.USAGE ->
                e instanceof ParameterException
                        ? message + "; see " + command.getCommandSpec().qualifiedName() + " --help"
                        : message;
            case Exit.INTERNAL -> e instanceof CliException ? message : e + "; --debug shows where";
            default -> message;
        };
    }

    // Names are UTF-8, whatever the terminal's settings.
    private static PrintWriter writer(FileDescriptor to) {
        return new PrintWriter(new FileOutputStream(to), false, StandardCharsets.UTF_8);
    }

    /** The version that the jar was built as. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Cli.class.getPackage().getImplementationVersion();
            return new String[] {"holdfast " + (version == null ? "(not packaged)" : version)};
        }
    }
}
