package io.holdfast.spi;

/** What a claim asks for. */
public enum Mode {
    /** The lock for itself: a plain or a write lock. */
    EXCLUSIVE(Kind.LOCK),
    /** The lock together with other shared claims: a read lock. */
    SHARED(Kind.LOCK),
    /** Some of the permits of a semaphore. */
    PERMITS(Kind.SEMAPHORE);

    private final Kind kind;

    Mode(Kind kind) {
        this.kind = kind;
    }

    /** What the name of such a claim stands for. */
    public Kind kind() {
        return kind;
    }
}
