package io.holdfast.demo;

import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The worker processes of one run and the data that they share. */
final class Crew implements AutoCloseable {

    private final List<WorkerProcess> workers = new ArrayList<>();
    private final SharedData data;

    private Crew(SharedData data) {
        this.data = data;
    }

    /** Starts them all at once and waits until each is ready. */
    static Crew start(Settings settings, int size, Cleanup cleanup, Progress progress)
            throws IOException, InterruptedException {
        Crew crew = new Crew(connect(settings));
        cleanup.add(crew);
        for (int i = 1; i <= size; i++) {
            WorkerProcess worker = WorkerProcess.start(settings.named("worker-" + i));
            cleanup.add(worker);
            crew.workers.add(worker);
        }
        int ready = 0;
        for (WorkerProcess worker : crew.workers) {
            progress.bar((double) ready / size, ready + " of " + size + " are ready");
            worker.await("ready");
            ready++;
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

    /** Those that were not killed. */
    List<WorkerProcess> workers() {
        return workers.stream().filter(WorkerProcess::isAlive).toList();
    }

    SharedData data() {
        return data;
    }

    @Override
    public void close() {
        data.deleteAll();
        data.close();
    }
}
