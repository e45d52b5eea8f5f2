package io.holdfast.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All timers of one client, behind one wake-up of the scheduler. Arming and cancelling wake nobody unless the timer becomes
 * the earliest of all; a wake-up whose timer is gone is left to pass. So a client that takes and gives back a million locks
 * costs a wake-up now and then, not two million.
 *
 * <p>Timers that are due at the same time, as the renewals of many locks are, stand in the heap as one: the first of them,
 * with the others in a ring behind it. Arming and cancelling one of those is O(1), and O(log n) for others.
 */
public final class Timers {

    private static final Logger log = LoggerFactory.getLogger(Timers.class);

    private static final int KNOWN = 256;

    private final Ticker ticker;
    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();
    private Timed[] heap = new Timed[16];
    private int heapSize;

    /** How many are armed, those in rings included. */
    private int size;

    /** Some of those in the heap, by when they are due. One that is missing here only gets no others behind it. */
    private final @Nullable Timed[] known = new Timed[KNOWN];

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
            if (timer.index != Timed.NOT_ARMED) {
                remove(timer);
            }
            timer.due = due;
            add(timer);
            ensureWakeUp();
        } finally {
            lock.unlock();
        }
    }

    void cancel(Timed timer) {
        lock.lock();
        try {
            if (timer.index != Timed.NOT_ARMED) {
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
            while (heapSize > 0 && heap[0].due - now <= 0) {
                Timed first = heap[0];
                removeFromHeap(first);
                size -= moveRing(first, due);
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
        if (heapSize == 0) {
            return;
        }
        long due = heap[0].due;
        Long next = wakeUps.peek();
        if (next == null || due - next < 0) {
            wakeUps.push(due);
            scheduler.schedule(() -> wakeUp(due), Math.max(0, due - ticker.nanos()));
        }
    }

    // ---- those that are due at the same time ------------------------------------------------------------------

    private void add(Timed timer) {
        size++;
        int slot = slot(timer.due);
        Timed first = known[slot];
        if (first != null && first.due == timer.due) {
            join(first, timer);
        } else {
            known[slot] = timer;
            addToHeap(timer);
        }
    }

    private void remove(Timed timer) {
        size--;
        Timed next = timer.after;
        if (next == null) {
            removeFromHeap(timer);
            return;
        }
        if (timer.index >= 0) {
            standInFor(timer, next);
        }
        timer.index = Timed.NOT_ARMED;
        leave(timer);
    }

    private static void join(Timed first, Timed timer) {
        Timed last = first.before == null ? first : first.before;
        timer.index = Timed.BEHIND;
        timer.before = last;
        timer.after = first;
        last.after = timer;
        first.before = timer;
    }

    private static void leave(Timed timer) {
        Timed before = timer.before;
        Timed after = timer.after;
        if (before == null || after == null) {
            return;
        }
        boolean leavesOne = before == after;
        before.after = leavesOne ? null : after;
        after.before = leavesOne ? null : before;
        timer.before = null;
        timer.after = null;
    }

    /** It is due at the same time, so it need not move. */
    private void standInFor(Timed first, Timed next) {
        place(next, first.index);
        int slot = slot(first.due);
        if (known[slot] == first) {
            known[slot] = next;
        }
    }

    /** The first of a ring, which is in the heap no more, and those behind it; the answer is how many they are. */
    private static int moveRing(Timed first, List<Timed> to) {
        int from = to.size();
        Timed next = first;
        do {
            Timed timer = next;
            next = timer.after;
            timer.before = null;
            timer.after = null;
            timer.index = Timed.NOT_ARMED;
            to.add(timer);
        } while (next != null && next != first);
        return to.size() - from;
    }

    private static int slot(long due) {
        return (int) ((due * 0x9E3779B97F4A7C15L) >>> 32) & (KNOWN - 1);
    }

    // ---- the heap ---------------------------------------------------------------------------------------------

    private void addToHeap(Timed timer) {
        if (heapSize == heap.length) {
            heap = Arrays.copyOf(heap, heapSize * 2);
        }
        place(timer, heapSize++);
        siftUp(timer);
    }

    private void removeFromHeap(Timed timer) {
        int slot = slot(timer.due);
        if (known[slot] == timer) {
            known[slot] = null;
        }
        int hole = timer.index;
        timer.index = Timed.NOT_ARMED;
        Timed last = heap[--heapSize];
        heap[heapSize] = null;
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
        for (int child = 2 * i + 1; child < heapSize; child = 2 * i + 1) {
            if (child + 1 < heapSize && heap[child + 1].due - heap[child].due < 0) {
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
