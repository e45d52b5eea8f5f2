package io.holdfast.spi;

/** What a claim asks for. */
public enum Mode {
    /** The lock for itself: a plain or a write lock. */
    EXCLUSIVE(ResourceType.LOCK),
    /** The lock together with other shared claims: a read lock. */
    SHARED(ResourceType.LOCK),
    /** Some of the permits of a semaphore. */
    PERMITS(ResourceType.SEMAPHORE);

    private final ResourceType type;

    Mode(ResourceType type) {
        this.type = type;
    }

    /** What the name of such a claim stands for. */
    public ResourceType type() {
        return type;
    }
}
