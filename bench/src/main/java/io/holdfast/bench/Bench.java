package io.holdfast.bench;

import io.holdfast.bench.report.HtmlReport;
import io.holdfast.bench.report.JsonReport;
import io.holdfast.bench.report.Results;
import io.holdfast.bench.report.Setting;
import io.holdfast.bench.report.Terminal;
import io.holdfast.bench.report.TextTable;
import io.holdfast.bench.scenario.Versions;
import io.holdfast.bench.stage.Cleanup;
import io.holdfast.bench.stage.RedisServer;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.stage.TemporaryDirectory;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Holdfast beside its peers. {@code ./holdfast bench} */
public final class Bench {

    private final Options options;
    private final Terminal terminal;

    private Bench(Options options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
    }

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args));
    }

    static int run(String... args) throws InterruptedException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("holdfast bench: " + e.getMessage() + "\n\n" + Options.USAGE);
            return 2;
        }
        Terminal terminal = Terminal.detect();
        if (options.help()) {
            terminal.out().print(Options.USAGE);
            return 0;
        }
        Cleanup cleanup = new Cleanup();
        try (cleanup) {
            return new Bench(options, terminal).play(cleanup) ? 0 : 1;
        } catch (BenchException | RedisException | IOException e) {
            if (!cleanup.isStopped()) {
                System.err.println("holdfast bench: " + e.getMessage());
            }
            return 2;
        } catch (RuntimeException e) {
            if (cleanup.isStopped()) {
                return 2;
            }
            throw e;
        }
    }

    private boolean play(Cleanup cleanup) throws IOException, InterruptedException {
        Path out = options.out() != null ? options.out() : beside();
        Files.createDirectories(out);
        Path directory = TemporaryDirectory.create(cleanup).path();
        String given = options.url();
        String url =
                given != null ? given : RedisServer.start(directory, cleanup).url();
        Stage stage = Stage.open(url, options.pace(), directory, cleanup);
        Setting setting =
                Setting.now(stage.server().version(), given == null, options.pace(), options.rounds(), Versions.read());
        if (setting.isNoisy()) {
            terminal.out()
                    .println(terminal.bold("The machine is busy with something else: do not believe the figures."));
        }

        Results results = new Run(options, stage, terminal).play();

        terminal.out().println();
        new TextTable(terminal, results).print();
        Path page = out.resolve("report.html");
        Files.writeString(page, HtmlReport.write(setting, results));
        Path numbers = out.resolve("results.json");
        Files.writeString(numbers, JsonReport.write(setting, results));
        terminal.out().println();
        terminal.out().println("Report: " + page.toAbsolutePath().normalize());
        terminal.out().println("Numbers: " + numbers.toAbsolutePath().normalize());
        return Run.isSound(results);
    }

    /** A directory beside the jar or the classes that this runs from: in a clone, the module's target. */
    private static Path beside() {
        try {
            Path here = Path.of(Bench.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return here.resolveSibling("report");
        } catch (URISyntaxException e) {
            throw new BenchException("can't tell where the bench is; say with --out where the report goes", e);
        }
    }
}
