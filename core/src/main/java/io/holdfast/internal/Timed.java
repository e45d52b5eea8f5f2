package io.holdfast.internal;

import org.jspecify.annotations.Nullable;

/** What can be due at one time; armed, moved and cancelled in {@link Timers}, which all its fields belong to. */
abstract class Timed {

    static final int NOT_ARMED = -1;

    /** Armed, and standing behind another in the heap that is due at the same time. */
    static final int BEHIND = -2;

    long due;

    /** Where it stands in the heap, or one of the above. */
    int index = NOT_ARMED;

    /** The ring of those that are due at the same time, if there are any; the last is before the first. */
    @Nullable
    Timed before;

    @Nullable
    Timed after;

    /** Its time has come. */
    abstract void due();
}
