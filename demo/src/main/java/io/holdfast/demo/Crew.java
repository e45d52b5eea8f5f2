package io.holdfast.demo;

import io.holdfast.Holdfast;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The worker processes of one run and the data that they share. */
final class Crew implements AutoCloseable {

    private static final Duration REFRESH = Duration.ofMillis(50);

    private final Settings settings;
    private final Cleanup cleanup;
    private final SharedData data;
    private final Holdfast holdfast;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private int ready;

    private Crew(Settings settings, Cleanup cleanup) {
        this.settings = settings;
        this.cleanup = cleanup;
        this.data = connect(settings);
        this.holdfast = Holdfast.builder()
                .uri(settings.url())
                .lease(settings.lease())
                .clientName(settings.name())
                .build();
    }

    /** Starts them all at once. They are ready after {@link #awaitReady}. */
    static Crew start(Settings settings, int size, Cleanup cleanup) throws IOException {
        Crew crew = new Crew(settings, cleanup);
        cleanup.add(crew);
        for (int i = 1; i <= size; i++) {
            crew.startWorker();
        }
        return crew;
    }

    private static SharedData connect(Settings settings) {
        try {
            return new SharedData(settings);
        } catch (RedisException e) {
            throw new DemoException("can't reach that Redis: " + e.getMessage(), e);
        }
    }

    /** Starts one more, for one that was killed. */
    void startWorker() throws IOException {
        WorkerProcess worker = WorkerProcess.start(settings.named("worker-" + (workers.size() + 1)));
        cleanup.add(worker);
        workers.add(worker);
    }

    void awaitReady(Progress progress) throws InterruptedException {
        for (; ready < workers.size(); ready++) {
            progress.bar((double) ready / workers.size(), ready + " of " + workers.size() + " are ready");
            workers.get(ready).await("ready");
        }
    }

    /** The workers that were not killed. */
    List<WorkerProcess> workers() {
        return workers.stream().filter(WorkerProcess::isAlive).toList();
    }

    /** Waits, with a bar, until each worker has reported that often that it is done; the answer is these reports. */
    List<Report> awaitDone(int times, Duration expected, Progress progress, Supplier<String> text)
            throws InterruptedException {
        long start = System.nanoTime();
        List<Report> done = new ArrayList<>();
        for (WorkerProcess worker : workers()) {
            for (int time = 0; time < times; ) {
                Optional<Report> report = worker.poll(REFRESH);
                if (report.isPresent() && report.get().is("done")) {
                    done.add(report.get());
                    time++;
                }
                Duration passed = Text.since(start);
                if (passed.compareTo(expected.plusSeconds(30)) > 0) {
                    throw new DemoException(worker.name() + " is not done after " + Text.seconds(passed));
                }
                progress.bar((double) passed.toNanos() / expected.toNanos(), text.get());
            }
        }
        return done;
    }

    SharedData data() {
        return data;
    }

    /** The demo's own client; it uses the same locks as the workers. */
    Holdfast holdfast() {
        return holdfast;
    }

    /** The full name of what the workers know under the short one. */
    String name(String name) {
        return settings.prefix() + name;
    }

    @Override
    public void close() {
        holdfast.close();
        data.deleteAll();
        data.close();
    }
}
