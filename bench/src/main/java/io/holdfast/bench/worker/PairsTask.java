package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** Threads that take locks and give them back, as often as they can. */
final class PairsTask implements Task {

    /** How often a stranger looks: rarely enough to cost nothing. */
    private static final int STRANGER_LOOKS = 512;

    private final Assignment assignment;
    private final Marks marks;
    private final int threads;
    private final int locks;
    private final long pairs;
    private @Nullable LockClient client;
    private @Nullable LockClient stranger;

    PairsTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
        this.threads = (int) assignment.number(Assignment.THREADS, 1);
        this.locks = assignment.locks();
        this.pairs = assignment.number(Assignment.PAIRS, Long.MAX_VALUE);
    }

    @Override
    public void prepare() {
        LockClient opened = assignment.open(false);
        client = opened;
        if (assignment.flag(Assignment.STRANGER)) {
            stranger = assignment.open(false);
        }
        Warmth.of(assignment.lock(opened, locks + assignment.process()));
        if (stranger != null && isCounted()) {
            look(assignment.lock(opened, 0), stranger.lock(assignment.name(0)));
            stranger = null;
        }
    }

    /** Whether it is the commands that are counted: then a stranger looks before that, as its own would be among them. */
    private boolean isCounted() {
        return pairs < Long.MAX_VALUE;
    }

    private void look(Lock lock, Lock strange) {
        lock.lock();
        try {
            if (strange.tryLock()) {
                marks.breach();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Findings run(Window window) throws InterruptedException {
        List<Tally> tallies = new ArrayList<>();
        Crowd crowd = new Crowd(threads, number -> {
            Tally tally = new Tally(window);
            tallies.add(tally);
            return () -> loop(number, window, tally);
        });
        crowd.start();
        long cpu = isCounted() ? 0 : Cpu.usedWithin(window);
        crowd.join(window);
        return Tally.sum(tallies).put(Findings.CPU, cpu);
    }

    private void loop(int thread, Window window, Tally tally) {
        int index = thread % locks;
        Lock lock = assignment.lock(opened(client), index);
        Lock strange = stranger == null ? null : stranger.lock(assignment.name(index));
        long me = (assignment.process() + 1) * 1_000_000L + thread;
        for (long n = 1; n <= pairs; n++) {
            long begin = System.nanoTime();
            if (window.isOver(begin)) {
                return;
            }
            lock.lock();
            try {
                long entered = marks.enter(index, me);
                if (strange != null && n % STRANGER_LOOKS == 0 && strange.tryLock()) {
                    marks.breach();
                    strange.unlock();
                }
                marks.leave(index, me, entered);
            } finally {
                lock.unlock();
            }
            tally.add(begin, System.nanoTime());
        }
    }

    private static LockClient opened(@Nullable LockClient client) {
        if (client == null) {
            throw new IllegalStateException("not prepared");
        }
        return client;
    }
}
