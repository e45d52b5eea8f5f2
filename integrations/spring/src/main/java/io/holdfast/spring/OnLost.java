package io.holdfast.spring;

/** What happens when the lock ends before the body does. */
public enum OnLost {
    /**
     * The caller gets a {@link io.holdfast.LeaseLostException} once the body has ended, unless the body has thrown something else. A
     * transaction that would commit under the lost lock rolls back. A {@code Mono} or {@code Flux} fails at once, and its
     * source is cancelled.
     */
    THROW,
    /** As {@link #THROW}, and the thread that runs the body is interrupted. */
    INTERRUPT,
    /** The loss is logged as a warning, and nothing else happens: for work that does no harm when it is done twice. */
    LOG
}
