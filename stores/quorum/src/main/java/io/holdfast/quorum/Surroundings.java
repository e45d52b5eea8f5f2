package io.holdfast.quorum;

/** What a quorum needs of the world: tests bring their own. */
interface Surroundings extends AutoCloseable {

    /** The monotonic clock. */
    long nanos();

    /** Runs the task once, later. The answer takes it back; it may be called at any time. */
    Runnable after(long nanos, Runnable task);

    /** A random number from 0 to below the bound, so that colliding claims don't collide again. */
    long random(long bound);

    /** Runs nothing any more. */
    @Override
    void close();
}
