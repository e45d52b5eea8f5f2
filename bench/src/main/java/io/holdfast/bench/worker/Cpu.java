package io.holdfast.bench.worker;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time of this process. */
final class Cpu {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private Cpu() {}

    /** Nanoseconds of all threads so far. */
    static long used() {
        return SYSTEM.getProcessCpuTime();
    }

    /** What is used within the window, which the caller sleeps through. */
    static long usedWithin(Window window) throws InterruptedException {
        Window.sleepUntil(window.from());
        long before = used();
        Window.sleepUntil(window.to());
        return used() - before;
    }
}
