package io.holdfast.internal.time;

import io.holdfast.internal.Tuning;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The timers that are due at one time, in the order in which they were armed. Used again for other times. */
final class TimerBucket {

    final int number;
    long at;

    /** Where it stands in the heap of {@link Timers}. */
    int index;

    /** With gaps where some were removed. */
    private @Nullable Timed[] timers = new Timed[1];

    private int end;
    private int size;

    TimerBucket(int number) {
        this.number = number;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Timed timer) {
        if (end == timers.length) {
            makeRoom();
        }
        timer.bucket = number;
        put(timer, end++);
        size++;
    }

    void remove(Timed timer) {
        timers[timer.position] = null;
        timer.bucket = Timed.NOT_ARMED;
        size--;
        while (end > 0 && timers[end - 1] == null) {
            end--;
        }
        forgetLongList();
    }

    /** Removes all. */
    void moveTo(List<Timed> list) {
        for (int i = 0; i < end; i++) {
            Timed timer = timers[i];
            if (timer != null) {
                timer.bucket = Timed.NOT_ARMED;
                list.add(timer);
                timers[i] = null;
            }
        }
        end = 0;
        size = 0;
        forgetLongList();
    }

    private void forgetLongList() {
        if (size == 0 && timers.length > Tuning.BUCKET_LENGTH) {
            timers = new Timed[1];
        }
    }

    private void makeRoom() {
        if (size > end / 2) {
            timers = Arrays.copyOf(timers, 2 * end);
            return;
        }
        int kept = 0;
        for (int i = 0; i < end; i++) {
            Timed timer = timers[i];
            if (timer != null) {
                timers[i] = null;
                put(timer, kept++);
            }
        }
        end = kept;
    }

    private void put(Timed timer, int position) {
        timers[position] = timer;
        timer.position = position;
    }
}
