package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The script that users start, in a clone where everything has been built: what it starts is this class path. */
@DisplayName("The launcher")
class LauncherTest extends CliTest {

    private Path script;

    @BeforeEach
    void build() throws Exception {
        Path clone = Files.createDirectory(directory.resolve("a clone"));
        script = Files.copy(Path.of("..", "..", "holdfast"), clone.resolve("holdfast"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Path app = Files.createDirectories(clone.resolve("tools/cli/target/app-1"));
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, Cli.class.getName());
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(System.getProperty("java.class.path"))
                        .map(path -> Path.of(path).toUri().toString())
                        .collect(Collectors.joining(" ")));
        try (OutputStream file = Files.newOutputStream(app.resolve("holdfast-cli.jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.finish();
        }
        Files.writeString(clone.resolve("tools/cli/target/holdfast.built"), java() + "\n" + app + "\n");
    }

    @Test
    @DisplayName(
            "is replaced by the command line, passes arguments as they are in any locale, and leaves the locale alone")
    void startsIt() throws Exception {
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("LC_ALL", "C");
        CliProcess run = launch(
                environment,
                "run",
                "läck",
                "--",
                "sh",
                "-c",
                "echo $PPID $HOLDFAST_LOCK $1 $LC_ALL; env",
                "sh",
                "grüße");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith(run.pid() + " läck grüße C\n").doesNotContain("CALLER_LC_ALL");
        assertThat(run.err()).isEmpty();
    }

    @Test
    @DisplayName("says 64 to a command that there is not")
    void refuses() throws Exception {
        assertThat(launch(environment(), "jump").exitCode()).isEqualTo(Exit.USAGE);
    }

    @Test
    @DisplayName("takes this long, without the archive of classes that a real build has")
    void takesTime(TestReporter reporter) throws Exception {
        long start = System.nanoTime();
        assertThat(launch(environment(), "run", "a", "--", "true").exitCode()).isZero();
        reporter.publishEntry(
                "run -- true", Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
    }

    private CliProcess launch(Map<String, String> environment, String... args) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", System.getProperty("java.home"));
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(args));
        return keep(CliProcess.start(directory, all, command));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
