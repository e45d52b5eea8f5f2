package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.RacyFile;
import io.holdfast.tck.WorkerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that share a file and nothing else: H2's {@code AUTO_SERVER}, with which the command line works where no
 * server is. Whoever opens the file first serves the others.
 */
@DisplayName("Of the processes that share an H2 file,")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedFileTest {

    /** Longer than it takes the others to go on without the one that served them: two to four seconds. */
    private static final Duration LEASE = Duration.ofSeconds(12);

    private static final int ROUNDS = 60;

    @TempDir
    private Path directory;

    private final List<WorkerProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() throws Exception {
        for (WorkerProcess one : started) {
            one.close();
        }
    }

    /** Starts it, and waits until it has looked at the file. */
    private WorkerProcess process() throws Exception {
        WorkerProcess worker =
                WorkerProcess.start("jdbc:h2:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE", LEASE);
        started.add(worker);
        worker.expect("ready");
        return worker;
    }

    private void kill(WorkerProcess process) throws Exception {
        process.kill();
        started.remove(process);
    }

    @Test
    @DisplayName("the one that serves may be killed: what is held stays held, and who counts under a lock counts right")
    void mayBeKilled() throws Exception {
        WorkerProcess server = process();
        List<WorkerProcess> others = new ArrayList<>(List.of(process(), process(), process()));
        RacyFile file = RacyFile.create(directory.resolve("count"));
        int counted = 0;

        long token = server.lock("of-the-dead");
        others.get(0).lock("kept");
        // Each time the first goes: the one that began, and then whoever has taken over, sooner or later.
        for (WorkerProcess next : List.of(server, others.get(1))) {
            List<WorkerProcess> counting = new ArrayList<>(others);
            counting.remove(next);
            for (WorkerProcess one : counting) {
                one.tell("count counter " + file.file() + " 2 " + ROUNDS);
            }
            int begun = counted + ROUNDS / 4;
            while (file.first() < begun) {
                Thread.sleep(5); // they count on the same processors
            }
            kill(next);
            others.remove(next);
            for (WorkerProcess one : counting) {
                one.expect("counted");
            }
            counted += counting.size() * 2 * ROUNDS;
            assertThat(file.first()).isEqualTo(counted);
        }

        others.get(0).ask("held kept", "held");
        others.get(1).ask("try kept 0", "busy");
        assertThat(others.get(1).lock("of-the-dead")).isGreaterThan(token);
        WorkerProcess late = process();
        late.ask("try kept 0", "busy");
        others.get(0).ask("unlock kept", "unlocked");
        late.ask("try kept 20000", "granted ");
    }

    @Test
    @DisplayName("the one that serves may end in order: the others go on without it")
    void mayEnd() throws Exception {
        WorkerProcess server = process();
        WorkerProcess other = process();
        other.lock("kept");
        server.tell("exit");
        server.awaitExit();
        other.ask("held kept", "held");
        other.ask("unlock kept", "unlocked");
        WorkerProcess late = process();
        late.lock("kept");
        other.ask("try kept 0", "busy");
    }
}
