package io.holdfast.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** What contracts between real processes have in common. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ResourceLock(providers = AcrossProcesses.Slots.class)
abstract class AcrossProcesses extends Contract {

    /** Longer than elsewhere: a JVM that has only just started stands still more often. */
    static final Duration LEASE = Duration.ofSeconds(3);

    /** How much longer than the lease it may take to get the lock of a process that died. */
    static final Duration A_BIT = SLACK;

    /** Only so many of these tests run at a time: each has up to four JVMs. */
    private static final int SLOTS = 3;

    /** Gives each test one of the slots. */
    public static final class Slots implements ResourceLocksProvider {
        @Override
        public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> contract, Method test) {
            int hash = Objects.hash(enclosing.isEmpty() ? "" : enclosing.get(0).getName(), test.getName());
            return Set.of(new Lock("io.holdfast.tck.processes-" + Math.floorMod(hash, SLOTS)));
        }
    }

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
