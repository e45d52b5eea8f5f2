package io.holdfast.cas;

/** Runs a step later. Injected, so that the kernel runs in simulated time as well. */
@FunctionalInterface
public interface Pauses {

    void after(long nanos, Runnable step);
}
