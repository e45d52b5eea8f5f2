package io.holdfast.spi;

/**
 * The answer to a release.
 *
 * @param held whether the claim was held until this command ran; false for one that was only queued
 * @param contended whether other claims may be waiting, in the queue or by a {@linkplain LockStore#watch watch}; a guess, on
 *     which the engine's next claim for the name goes behind them, rather than barge
 */
public record ReleaseResult(boolean held, boolean contended) {}
