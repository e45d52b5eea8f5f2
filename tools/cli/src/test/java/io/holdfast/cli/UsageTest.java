package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line")
class UsageTest extends CliTest {

    @ParameterizedTest
    @DisplayName("says in one line what is wrong with it: 64")
    @ValueSource(
            strings = {
                "",
                "jump",
                "run",
                "run a",
                "run a --",
                "run -- echo a",
                "run a true -- true",
                "run --wait soon a -- true",
                "run --wait 1 --no-wait a -- true",
                "run --lease 1ms a -- true",
                "run --ulr redis://user:hunter2@host a -- true",
                "show",
                "show --semaphore --latch a",
                "show a --url nowhere",
                "show a --url ftp://me:hunter2@host",
                "show a --url memory:",
                "show a --url redis://me:hunter2@host:port",
                "show a --url jdbc:postgresql://host:99999/x?password=hunter2",
                "show a --url jdbc:oracle:thin:me/hunter2@host",
                "show a --timeout 0",
                "release a",
                "release a --token x",
                "release a --latch --token 1",
                "completion fish"
            })
    void isWrong(String line) {
        Said said = say(line.isEmpty() ? new String[0] : line.split(" "));
        assertThat(said.exitCode()).as(said.err()).isEqualTo(Exit.USAGE);
        assertThat(said.out()).isEmpty();
        assertThat(said.err().strip().lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: ")
                .doesNotContain("hunter2", "Exception");
    }

    @Test
    @DisplayName("refuses names that no lock can have")
    void namesAreChecked() {
        for (String name : new String[] {"", "x".repeat(1025)}) {
            assertThat(say("show", name, "--url", url()).exitCode()).isEqualTo(Exit.USAGE);
            assertThat(say("run", name, "--url", url(), "--", "true").exitCode())
                    .isEqualTo(Exit.USAGE);
        }
    }

    @Test
    @DisplayName("says what is wrong as JSON if asked to, and where it happened with --debug")
    void saysMore() {
        Said json = say("show", "a", "--json", "--url", "redis://me:hunter2@host:port");
        assertThat(JsonReader.object(json.err())).containsEntry("exit", 64L).containsKey("error");
        Said debug = say("show", "a", "--debug", "--url", "ftp://host");
        assertThat(debug.err()).contains("\tat io.holdfast.cli.");
        Said other = say("run", "a", "--url", "ftp://host", "--", "--debug", "--json");
        assertThat(other.err().lines()).hasSize(1);
    }

    @Test
    @DisplayName("explains itself")
    void helps() {
        assertThat(say("--help").out())
                .contains("run ", "ls ", "show ", "release ", "watch ", "tokens ", "completion ");
        for (String command : new String[] {"run", "ls", "show", "release", "watch", "completion"}) {
            Said help = say(command, "--help");
            assertThat(help.exitCode()).isZero();
            assertThat(help.out()).startsWith("Usage: holdfast " + command).contains("--json");
        }
        assertThat(say("tokens", "raise", "--help").out()).contains("--above", "--json");
        String run = say("run", "--help").out().replaceAll("\\s+", " ");
        assertThat(run).contains("redis://", "-cluster", "zookeeper://", "jdbc:postgresql://");
        assertThat(say("--version").out()).startsWith("holdfast ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    @DisplayName("prints a completion that the shell understands")
    void completes(String shell) throws Exception {
        Path script = Files.writeString(
                directory.resolve("completion"), say("completion", shell).out());
        understands("bash", script);
        if (Files.isExecutable(Path.of("/usr/bin", shell)) || Files.isExecutable(Path.of("/bin", shell))) {
            understands(shell, script); // zsh has bash's completion, and is not everywhere
        }
        if (shell.equals("bash")) {
            String ask = ". " + script + "; COMP_WORDS=(holdfast run --no); COMP_CWORD=2; _complete_holdfast;"
                    + " echo ${COMPREPLY[*]}";
            Process complete = new ProcessBuilder("bash", "-c", ask).start();
            assertThat(new String(complete.getInputStream().readAllBytes(), UTF_8))
                    .contains("--no-wait");
        }
    }

    private static void understands(String shell, Path script) throws Exception {
        Process check = new ProcessBuilder(shell, "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(check.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(check.waitFor()).isZero();
    }
}
