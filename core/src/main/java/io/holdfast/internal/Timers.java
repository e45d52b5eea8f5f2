package io.holdfast.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All timers of one client, behind one wake-up of the scheduler. Arming and cancelling are O(log n) and wake nobody
 * unless the timer becomes the earliest of all; a wake-up whose timer is gone is left to pass. So a client that takes and
 * gives back a million locks costs a wake-up now and then, not two million.
 */
public final class Timers {

    private static final Logger log = LoggerFactory.getLogger(Timers.class);

    private final Ticker ticker;
    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();
    private Timed[] heap = new Timed[16];
    private int size;

    /** The wake-ups that were asked for and have not come, the earliest first; each was asked for ahead of the others. */
    private final ArrayDeque<Long> wakeUps = new ArrayDeque<>();

    Timers(Ticker ticker, Scheduler scheduler) {
        this.ticker = ticker;
        this.scheduler = scheduler;
    }

    /** Sets the timer, or moves it if it is armed already. */
    void arm(Timed timer, long due) {
        lock.lock();
        try {
            if (timer.index < 0) {
                if (size == heap.length) {
                    heap = Arrays.copyOf(heap, size * 2);
                }
                place(timer, size++);
            }
            timer.due = due;
            siftUp(timer);
            siftDown(timer);
            ensureWakeUp();
        } finally {
            lock.unlock();
        }
    }

    void cancel(Timed timer) {
        lock.lock();
        try {
            if (timer.index >= 0) {
                remove(timer);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many are armed. */
    public int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    private void wakeUp(long at) {
        List<Timed> due = new ArrayList<>();
        lock.lock();
        try {
            wakeUps.remove(at);
            long now = ticker.nanos();
            while (size > 0 && heap[0].due - now <= 0) {
                due.add(heap[0]);
                remove(heap[0]);
            }
            ensureWakeUp();
        } finally {
            lock.unlock();
        }
        for (Timed timer : due) {
            try {
                timer.due();
            } catch (RuntimeException | Error e) {
                log.error("a timer failed; the others go on", e);
            }
        }
    }

    private void ensureWakeUp() {
        if (size == 0) {
            return;
        }
        long due = heap[0].due;
        Long next = wakeUps.peek();
        if (next == null || due - next < 0) {
            wakeUps.push(due);
            scheduler.schedule(() -> wakeUp(due), Math.max(0, due - ticker.nanos()));
        }
    }

    private void remove(Timed timer) {
        int hole = timer.index;
        timer.index = -1;
        Timed last = heap[--size];
        heap[size] = null;
        if (last != timer) {
            place(last, hole);
            siftUp(last);
            siftDown(last);
        }
    }

    private void siftUp(Timed timer) {
        int i = timer.index;
        while (i > 0) {
            Timed parent = heap[(i - 1) >>> 1];
            if (parent.due - timer.due <= 0) {
                break;
            }
            int up = parent.index;
            place(parent, i);
            i = up;
        }
        place(timer, i);
    }

    private void siftDown(Timed timer) {
        int i = timer.index;
        for (int child = 2 * i + 1; child < size; child = 2 * i + 1) {
            if (child + 1 < size && heap[child + 1].due - heap[child].due < 0) {
                child++;
            }
            if (timer.due - heap[child].due <= 0) {
                break;
            }
            place(heap[child], i);
            i = child;
        }
        place(timer, i);
    }

    private void place(Timed timer, int index) {
        heap[index] = timer;
        timer.index = index;
    }
}
