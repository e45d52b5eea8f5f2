package io.holdfast.spi;

/**
 * What is locked: a name, and what it stands for. A lock and a semaphore of one name are two resources, which never meet.
 *
 * @param type what the name stands for
 * @param name any non-empty string up to 1,024 bytes of UTF-8
 */
public record Resource(ResourceType type, String name) {

    public static Resource lock(String name) {
        return new Resource(ResourceType.LOCK, name);
    }

    public static Resource semaphore(String name) {
        return new Resource(ResourceType.SEMAPHORE, name);
    }

    public static Resource latch(String name) {
        return new Resource(ResourceType.LATCH, name);
    }

    /** What messages call it, as in {@code lock 'orders:42'}. */
    public String label() {
        return Messages.label(type, name);
    }
}
