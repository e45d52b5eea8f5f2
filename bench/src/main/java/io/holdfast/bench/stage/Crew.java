package io.holdfast.bench.stage;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Marks;
import io.holdfast.bench.worker.Voice;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The processes of one measurement, and what their locks guard. */
public final class Crew implements AutoCloseable {

    /** Far longer than any of them needs, on a busy machine too; only so that nothing can hang. */
    private static final double PATIENCE = 120;

    private final Stage stage;
    private final Marks marks;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    Crew(Stage stage, Marks marks) {
        this.stage = stage;
        this.marks = marks;
    }

    void start(Assignment assignment, List<Contestant> contestants, Path errors)
            throws IOException, InterruptedException {
        for (int i = 0; i < contestants.size(); i++) {
            Assignment its = assignment
                    .with(Assignment.CONTESTANT, contestants.get(i).id())
                    .with(Assignment.PROCESS, i)
                    .with(Assignment.PROCESSES, contestants.size());
            workers.add(WorkerProcess.start(its, stage.pace().jvmArguments(), said, errors));
        }
        await(Voice.READY);
    }

    /** Waits until all of them have said that word. */
    public void await(String word) throws InterruptedException {
        await(word, PATIENCE);
    }

    /**
     * Waits until all of them have said that word, and answers with what each said after it.
     *
     * @throws WorkerFailure as soon as one of them says that it failed, or ends; or if nothing is heard for so long
     */
    private List<String> await(String word, double seconds) throws InterruptedException {
        List<String> answers = new ArrayList<>();
        while (answers.size() < workers.size()) {
            String line = said.poll((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new WorkerFailure("nothing was heard of a process for " + Math.round(seconds) + " s");
            }
            String[] parts = line.split(" ", 2);
            String rest = parts.length > 1 ? parts[1] : "";
            if (!parts[0].equals(word)) {
                throw new WorkerFailure(parts[0].equals(Voice.FAILED) ? rest : "a process " + line);
            }
            answers.add(rest);
        }
        return answers;
    }

    /** Tells all of them when to count. */
    public Window go(double warmUp, double seconds) throws IOException {
        Window window = Window.after(warmUp, seconds);
        for (WorkerProcess worker : workers) {
            worker.tell(window.from() + " " + window.to());
        }
        return window;
    }

    /**
     * Waits for what they found, in no order.
     *
     * @throws BrokenLock if two were inside a lock at the same time
     */
    public List<Findings> findings(Window window) throws InterruptedException {
        double left = (window.to() - System.nanoTime()) / 1e9;
        List<Findings> all = await(Voice.RESULT, Math.max(0, left) + PATIENCE).stream()
                .map(Findings::decode)
                .toList();
        long entered =
                (long) all.stream().mapToDouble(f -> f.get(Findings.ENTERED)).sum();
        if (marks.breaches() > 0) {
            throw new BrokenLock("two had the same lock, seen " + marks.breaches() + " times");
        }
        if (marks.entered() != entered) {
            throw new BrokenLock((entered - marks.entered()) + " of " + entered + " increments under a lock were lost");
        }
        return all;
    }

    @Override
    public void close() throws InterruptedException {
        for (WorkerProcess worker : workers) {
            worker.close();
        }
        stage.ended(this);
    }
}
