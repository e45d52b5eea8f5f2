package io.holdfast.bench.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The main class of a worker process: one contestant, one task. It says when it is ready, runs when it is told the time,
 * says what it found, and ends when its input does, so it can't outlive the bench.
 */
public final class Worker {

    private Worker() {}

    public static void main(String[] args) throws InterruptedException {
        Voice voice = new Voice(System.out);
        // What a library prints must not be taken for a word of ours.
        System.setOut(System.err);
        BlockingQueue<Window> go = listen();
        try {
            Assignment assignment = Assignment.from(System.getenv());
            Task task = task(assignment, Marks.map(assignment.marks(), assignment.locks()), voice);
            task.prepare();
            voice.say(Voice.READY);
            Findings findings = task.run(go.take());
            voice.say(Voice.RESULT, findings.encode());
        } catch (Throwable e) {
            e.printStackTrace();
            voice.say(Voice.FAILED, e.toString());
        }
        // The end comes with the end of the input: what is held until then may matter to another process.
        Thread.currentThread().join();
    }

    private static Task task(Assignment assignment, Marks marks, Voice voice) {
        String task = assignment.text(Assignment.TASK);
        return switch (task) {
            case Tasks.PAIRS -> new PairsTask(assignment, marks);
            case Tasks.READ_WRITE -> new ReadWriteTask(assignment, marks);
            case Tasks.CONTEND -> new ContendTask(assignment, marks);
            case Tasks.CHAINS -> new ChainsTask(assignment, marks);
            case Tasks.HANDOFF -> new HandoffTask(assignment, marks);
            case Tasks.BUSY -> new BusyTask(assignment, marks);
            case Tasks.HELD -> new HeldTask(assignment, marks, voice);
            case Tasks.STARTUP -> new StartupTask(assignment, marks);
            default -> throw new IllegalArgumentException(task);
        };
    }

    private static BlockingQueue<Window> listen() {
        BlockingQueue<Window> windows = new LinkedBlockingQueue<>();
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader in =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        for (String line = in.readLine(); line != null; line = in.readLine()) {
                            String[] times = line.split(" ");
                            windows.add(new Window(Long.parseLong(times[0]), Long.parseLong(times[1])));
                        }
                    } catch (IOException e) {
                        // Ends the process as well.
                    }
                    // Not exit: some clients take seconds to close, and nothing that matters is left to do.
                    Runtime.getRuntime().halt(0);
                },
                "bench-input");
        reader.setDaemon(true);
        reader.start();
        return windows;
    }
}
