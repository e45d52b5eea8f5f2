package io.holdfast.internal.time;

/**
 * What can be due at one time; armed, moved and cancelled in {@link Timers}, which all its fields belong to. They are numbers
 * since it may be old when it is armed again: a reference would be one more thing for the garbage collector to look at.
 */
abstract class Timed {

    static final int NOT_ARMED = -1;

    long due;

    /** The number of the {@link TimerBucket} in which it is due, and its place there. */
    int bucket = NOT_ARMED;

    int position;

    /** Its time has come. */
    abstract void due();
}
