package io.holdfast.spi;

/**
 * The answer to a release.
 *
 * @param held whether the claim was held until this command ran; false for one that only waited
 * @param contended whether other clients may be waiting, in the queue or by a {@linkplain LockStore#watch watch}; a guess, on
 *     which the engine gives way to them for two milliseconds
 */
public record ReleaseResult(boolean held, boolean contended) {}
