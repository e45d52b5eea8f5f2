package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commands that run at the same time on the default store")
class CounterTest extends CliTest {

    private static final int WORKERS = 3;
    private static final int ROUNDS = 4;

    @Test
    @DisplayName("count without losing one, also when the process that serves the file to the others is killed")
    void count() throws Exception {
        Files.writeString(directory.resolve("counter"), "0");
        CliProcess server = start("run", "other", "--", "sh", "-c", "echo $$ >pid; exec sleep 1000");
        long sleeper = Long.parseLong(content("pid"));
        String count = "n=$(cat counter); sleep 0.05; echo $((n + 1)) >counter";
        // Each takes the lock, and comes again: the file is opened, served, closed and taken over all the time.
        List<Thread> workers = new ArrayList<>();
        List<Integer> exitCodes = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < WORKERS; i++) {
            Thread worker = new Thread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try (CliProcess run =
                            CliProcess.start(directory, environment(), "run", "counter", "--", "sh", "-c", count)) {
                        exitCodes.add(run.exitCode());
                        if (run.exitCode() != 0) {
                            System.err.println(run.err());
                        }
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            worker.start();
            workers.add(worker);
        }
        CliProcess.until(() -> exitCodes.size() >= WORKERS, () -> "nobody counts");
        server.signal("KILL");
        CliProcess.signal("KILL", sleeper);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(exitCodes).hasSize(WORKERS * ROUNDS).containsOnly(0);
        assertThat(content("counter")).isEqualTo(Integer.toString(WORKERS * ROUNDS));
    }
}
