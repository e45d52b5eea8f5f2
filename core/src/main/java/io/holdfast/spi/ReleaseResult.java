package io.holdfast.spi;

/**
 * The answer to a release.
 *
 * @param held whether the claim was held until this command ran; false for one that was only queued
 * @param contended whether other clients may be waiting, in the queue or by a {@linkplain LockStore#watch watch}; a guess, on
 *     which the engine lets them go first for two milliseconds
 */
public record ReleaseResult(boolean held, boolean contended) {}
