package io.holdfast.internal.time;

/** Runs a task later, once. {@link Timers} is the only user and has at most a few tasks outstanding. */
@FunctionalInterface
public interface Scheduler {
    void schedule(Runnable task, long delayNanos);
}
