package io.holdfast.internal.engine;

/** Random numbers that make ids unique, though this process may have been copied with all of its memory. */
@FunctionalInterface
public interface Nonces {

    /** One of 19 decimal digits. */
    long next();
}
