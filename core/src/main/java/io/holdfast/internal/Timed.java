package io.holdfast.internal;

/** What can be due at one time; armed, moved and cancelled in {@link Timers}. */
abstract class Timed {

    long due;

    /** Where it stands in the heap, or -1 while it is not armed. */
    int index = -1;

    /** Its time has come. */
    abstract void due();
}
