package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.CeilingScripts;
import io.holdfast.bench.contestant.LockClient;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Takes many locks and keeps them. */
final class HeldTask implements Task {

    /** Asked for at the same time, at most: as many as no library chokes on. */
    private static final int IN_FLIGHT = 1_000;

    private static final int WARM_UP = 200;
    private static final int LOOKED_AT = 500;
    private static final int LOOKS_AT_HEAP = 6;

    private final Assignment assignment;
    private final Marks marks;
    private final Voice voice;
    private final int locks;
    private @Nullable LockClient client;

    HeldTask(Assignment assignment, Marks marks, Voice voice) {
        this.assignment = assignment;
        this.marks = marks;
        this.voice = voice;
        this.locks = assignment.locks();
    }

    @Override
    public void prepare() throws InterruptedException {
        LockClient opened = assignment.open(true);
        take(opened, locks, locks + WARM_UP);
        client = opened;
    }

    @Override
    public Findings run(Window window) throws InterruptedException {
        LockClient opened = client;
        if (opened == null) {
            throw new IllegalStateException("not prepared");
        }
        long idle = assignment.number(Assignment.IDLE_MILLIS, 1_000);
        long cpu = Cpu.used();
        TimeUnit.MILLISECONDS.sleep(idle);
        double idleCpu = (Cpu.used() - cpu) * 1_000.0 / idle;

        long heap = heap();
        long begin = System.nanoTime();
        take(opened, 0, locks);
        long took = System.nanoTime() - begin;
        heap = heap() - heap;

        // Kept for as long as the window is, from now on: it was not known before how long taking them would last.
        Window keep = Window.after(0, window.seconds());
        voice.say(Voice.KEEPING);
        long keepCpu = Cpu.usedWithin(keep);
        voice.say(Voice.KEPT);
        look();
        return new Findings()
                .put(Findings.COUNTED, locks)
                .put(Findings.CPU, keepCpu)
                .put(Findings.TOOK, took)
                .put(Findings.HEAP, heap)
                .put(Findings.IDLE, idleCpu);
    }

    private void take(LockClient from, int first, int end) throws InterruptedException {
        Semaphore room = new Semaphore(IN_FLIGHT);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        for (int i = first; i < end; i++) {
            room.acquire();
            from.keep(assignment.name(i), i).whenComplete((taken, error) -> {
                if (error != null) {
                    failure.compareAndSet(null, error);
                }
                room.release();
            });
        }
        room.acquire(IN_FLIGHT);
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a lock could not be taken: " + failed, failed);
        }
    }

    /** Another client must get none of them. */
    private void look() {
        LockClient stranger = assignment.open(false);
        for (int i = 0; i < LOOKED_AT; i++) {
            String name = assignment.name((int) ((long) i * locks / LOOKED_AT));
            boolean taken = stranger instanceof CeilingScripts scripts
                    ? scripts.slot(name).claimForAnother().toCompletableFuture().join()
                    : stranger.lock(name).tryLock();
            if (taken) {
                marks.breach();
            }
        }
    }

    /** What stays: the least of several looks, since what is on its way from or to the server is not the locks'. */
    private static long heap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < LOOKS_AT_HEAP; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            TimeUnit.MILLISECONDS.sleep(50); // a cleaner may let go of more
        }
        return least;
    }
}
