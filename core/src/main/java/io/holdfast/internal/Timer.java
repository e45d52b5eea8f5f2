package io.holdfast.internal;

/** Something that is due at one time; armed, moved and cancelled in {@link Timers}. */
final class Timer {

    final Runnable action;
    long due;

    /** Where it stands in the heap, or -1 while it is not armed. */
    int index = -1;

    Timer(Runnable action) {
        this.action = action;
    }
}
