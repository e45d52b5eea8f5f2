package io.holdfast.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code completion bash|zsh}. */
@Command(
        name = "completion",
        description = {
            "Prints what makes a shell complete this command line.",
            "bash: source <(holdfast completion bash)",
            "zsh:  source <(holdfast completion zsh)"
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

    enum Shell {
        bash,
        zsh
    }

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("holdfast", Cli.commandLine());
        // One script serves both; zsh needs its own completion to be there first.
        String text = shell == Shell.zsh ? "autoload -Uz compinit && compinit\n" + script : script;
        output.print(output.isJson() ? Json.write(Map.of("shell", shell, "script", text)) : text);
        return Exit.OK;
    }
}
