package io.holdfast.internal.time;

import io.holdfast.internal.Tuning;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All timers of one client, behind one wake-up of the scheduler. Arming and cancelling wake no thread unless the timer becomes
 * the earliest of all; a wake-up whose timer is gone is left to pass. So a client that takes and gives back a million locks
 * costs a wake-up now and then, not two million.
 *
 * <p>Timers that are due at the same time, as the renewals of many locks are, are one {@link TimerBucket} in a heap of buckets.
 * Arming and cancelling one of many is O(1), and O(log n) if it is the only one.
 */
public final class Timers {

    private static final Logger log = LoggerFactory.getLogger(Timers.class);

    private final Ticker ticker;
    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();

    /** All buckets, by their numbers, and below them the empty ones. */
    private final List<TimerBucket> buckets = new ArrayList<>();

    private final ArrayDeque<TimerBucket> spare = new ArrayDeque<>();

    /** The buckets with timers, as a heap: the earliest is the first. */
    private TimerBucket[] heap = new TimerBucket[16];

    private int heapSize;

    /** Some of them by their time. A bucket that is not among them only gets no further timers. */
    private final @Nullable TimerBucket[] known = new TimerBucket[Tuning.KNOWN_BUCKETS];

    /** How many timers are armed. */
    private int size;

    /** The wake-ups that were asked for and have not come, the earliest first; each was asked for ahead of the ones before. */
    private final ArrayDeque<Long> wakeUps = new ArrayDeque<>();

    public Timers(Ticker ticker, Scheduler scheduler) {
        this.ticker = ticker;
        this.scheduler = scheduler;
    }

    /** Sets the timer, or moves it if it is armed already. */
    public void arm(Timed timer, long due) {
        lock.lock();
        try {
            if (timer.bucket != Timed.NOT_ARMED) {
                remove(timer);
            }
            timer.due = due;
            add(timer);
            ensureWakeUp();
        } finally {
            lock.unlock();
        }
    }

    public void cancel(Timed timer) {
        lock.lock();
        try {
            if (timer.bucket != Timed.NOT_ARMED) {
                remove(timer);
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean isArmed(Timed timer) {
        lock.lock();
        try {
            return timer.bucket != Timed.NOT_ARMED;
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
            while (heapSize > 0 && heap[0].at - now <= 0) {
                TimerBucket first = heap[0];
                first.moveTo(due);
                retire(first);
            }
            size -= due.size();
            ensureWakeUp();
        } finally {
            lock.unlock();
        }
        for (Timed timer : due) {
            try {
                timer.due();
            } catch (RuntimeException | Error e) {
                log.error("A timer failed; the others go on", e);
            }
        }
    }

    private void ensureWakeUp() {
        if (heapSize == 0) {
            return;
        }
        long due = heap[0].at;
        Long next = wakeUps.peek();
        if (next == null || due - next < 0) {
            wakeUps.push(due);
            scheduler.schedule(() -> wakeUp(due), Math.max(0, due - ticker.nanos()));
        }
    }

    private void add(Timed timer) {
        size++;
        int slot = slot(timer.due);
        TimerBucket bucket = known[slot];
        if (bucket == null || bucket.at != timer.due) {
            bucket = begin(timer.due);
            known[slot] = bucket;
        }
        bucket.add(timer);
    }

    private void remove(Timed timer) {
        size--;
        TimerBucket bucket = buckets.get(timer.bucket);
        bucket.remove(timer);
        if (bucket.isEmpty()) {
            retire(bucket);
        }
    }

    private static int slot(long due) {
        return (int) ((due * 0x9E3779B97F4A7C15L) >>> 32) & (Tuning.KNOWN_BUCKETS - 1);
    }

    // ---- the buckets ------------------------------------------------------------------------------------------

    private TimerBucket begin(long at) {
        TimerBucket bucket = spare.poll();
        if (bucket == null) {
            bucket = new TimerBucket(buckets.size());
            buckets.add(bucket);
        }
        bucket.at = at;
        if (heapSize == heap.length) {
            heap = Arrays.copyOf(heap, heapSize * 2);
        }
        place(bucket, heapSize++);
        siftUp(bucket);
        return bucket;
    }

    private void retire(TimerBucket bucket) {
        int slot = slot(bucket.at);
        if (known[slot] == bucket) {
            known[slot] = null;
        }
        spare.push(bucket);
        TimerBucket last = heap[--heapSize];
        heap[heapSize] = null;
        if (last != bucket) {
            place(last, bucket.index);
            siftUp(last);
            siftDown(last);
        }
    }

    private void siftUp(TimerBucket bucket) {
        int i = bucket.index;
        while (i > 0) {
            TimerBucket parent = heap[(i - 1) >>> 1];
            if (parent.at - bucket.at <= 0) {
                break;
            }
            int up = parent.index;
            place(parent, i);
            i = up;
        }
        place(bucket, i);
    }

    private void siftDown(TimerBucket bucket) {
        int i = bucket.index;
        for (int child = 2 * i + 1; child < heapSize; child = 2 * i + 1) {
            if (child + 1 < heapSize && heap[child + 1].at - heap[child].at < 0) {
                child++;
            }
            if (bucket.at - heap[child].at <= 0) {
                break;
            }
            place(heap[child], i);
            i = child;
        }
        place(bucket, i);
    }

    private void place(TimerBucket bucket, int index) {
        heap[index] = bucket;
        bucket.index = index;
    }
}
