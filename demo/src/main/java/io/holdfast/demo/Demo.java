package io.holdfast.demo;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What distributed locks are for, shown with processes that race, share, queue and die. {@code ./holdfast demo} */
public final class Demo {

    private final Options options;
    private final Terminal terminal;
    private final Progress progress;

    private Demo(Options options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args));
    }

    private static int run(String... args) throws InterruptedException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("holdfast demo: " + e.getMessage() + "\n\n" + Options.USAGE);
            return 2;
        }
        Terminal terminal = Terminal.detect();
        if (options.help()) {
            terminal.out().print(Options.USAGE);
            return 0;
        }
        Cleanup cleanup = new Cleanup();
        try (cleanup) {
            return new Demo(options, terminal).play(cleanup) ? 0 : 1;
        } catch (DemoException | RedisException | IOException e) {
            if (!cleanup.isStopped()) {
                System.err.println("holdfast demo: " + e.getMessage());
            }
            return 2;
        }
    }

    private boolean play(Cleanup cleanup) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String url = options.url() != null
                ? options.url()
                : RedisServer.start(cleanup).url();
        String prefix = "holdfast-demo:" + UUID.randomUUID() + ":";
        RedisURI redis = RedisURI.create(url);
        progress.line(String.format(
                "Redis is at %s:%d; starting %d worker processes", redis.getHost(), redis.getPort(), Options.WORKERS));
        Settings settings = new Settings(url, prefix, options.lease(), "demo");
        Crew crew = Crew.start(settings, Options.WORKERS, cleanup);
        crew.awaitReady(progress);
        cleanup.add(progress);

        List<Result> results = new ArrayList<>();
        for (Scene scene : scenes()) {
            progress.title((results.size() + 1) + ". " + scene.title());
            crew.awaitReady(progress);
            results.add(scene.play(crew, progress));
        }

        new SummaryTable(terminal).print(results);
        boolean ok = results.stream().noneMatch(result -> result.outcome() == Result.Outcome.FAILED);
        Duration took = Text.since(start);
        progress.title((ok ? "All as promised" : "NOT as promised") + ", in " + took.toSeconds() + " s.");
        return ok;
    }

    private List<Scene> scenes() {
        return List.of(
                CountingScene.withoutLock(options.counting()),
                CountingScene.withLock(options.counting()),
                new KilledHolderScene(options.lease()),
                new PausedHolderScene(options.lease()),
                new ReadWriteScene(options.visiting()),
                new SemaphoreScene(options.visiting()),
                new LatchScene(),
                new TransferScene(options.visiting()),
                // The last one: no worker replaces the one that is killed in it.
                new FairQueueScene());
    }
}
