package io.holdfast.internal;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The timers that are due at one time, in the order in which they were armed. Used again for other times. */
final class Moment {

    final int number;
    long at;

    /** Where it stands in the heap of {@link Timers}. */
    int index;

    /** With gaps where some were removed. */
    private @Nullable Timed[] timers = new Timed[1];

    private int end;
    private int size;

    Moment(int number) {
        this.number = number;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Timed timer) {
        if (end == timers.length) {
            makeRoom();
        }
        timer.moment = number;
        place(timer, end++);
        size++;
    }

    void remove(Timed timer) {
        timers[timer.place] = null;
        timer.moment = Timed.NOT_ARMED;
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
                timer.moment = Timed.NOT_ARMED;
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
                place(timer, kept++);
            }
        }
        end = kept;
    }

    private void place(Timed timer, int place) {
        timers[place] = timer;
        timer.place = place;
    }
}
