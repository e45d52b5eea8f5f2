package io.holdfast.spring;

/** What happens when another owner has the lock. */
public enum OnBusy {
    /** {@link #SKIP} for a method that is {@code @Scheduled}, {@link #WAIT} for every other. */
    AUTO,
    /** Waits for as long as it takes, or at most for the wait time if there is one; then {@link LockBusyException}. */
    WAIT,
    /** Does not wait, unless there is a wait time; then {@link LockBusyException}. */
    THROW,
    /**
     * Does not wait, unless there is a wait time; then the body is not run. The result is {@code null}, an empty {@code Optional},
     * an empty {@code Mono} or {@code Flux}, or a completed stage of {@code null}.
     */
    SKIP
}
