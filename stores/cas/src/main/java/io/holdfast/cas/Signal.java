package io.holdfast.cas;

/**
 * A value that is put to a key of one client, for that client's {@linkplain Register#watch watch}: it does not count what the
 * key had before, and it need not stay once it was delivered.
 */
public record Signal(String key, Entry message) {

    public Signal(String key, byte[] value) {
        this(key, new Entry(value, 0));
    }

    /** What to put; not a copy. */
    public byte[] value() {
        return message.value();
    }
}
