package io.holdfast.spi;

/** What a claim asks for. */
public enum Mode {
    /** Granted when no other claim of the name is. */
    EXCLUSIVE
}
