package io.holdfast.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What contracts between real processes have in common. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class AcrossProcesses extends Contract {

    /** Longer than elsewhere: a JVM that has only just started stands still more often. */
    static final Duration LEASE = Duration.ofMillis(1_500);

    /** How much longer than the lease it may take to get the lock of a process that died. */
    static final Duration A_BIT = Duration.ofSeconds(2);

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    final void onlyIfOtherProcessesSeeTheLocks() {
        assumeTrue(openStore().traits().acrossProcesses(), "other processes do not see the locks of this store");
    }

    final WorkerProcess worker(Duration lease) throws Exception {
        return workers(1, lease).get(0);
    }

    final List<WorkerProcess> workers(int number, Duration lease) throws Exception {
        List<WorkerProcess> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            all.add(opened(WorkerProcess.start(store().uri(), lease)));
        }
        for (WorkerProcess one : all) {
            one.expect("ready");
        }
        return all;
    }
}
