package io.holdfast.cas;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a key has at one moment: a value, and the version that the register gave it.
 *
 * <p>A register that has no versions leaves them at 0 and compares values instead. That is safe, because the kernel never
 * writes one value twice: each has the id of its writer and a number in it.
 */
public final class Entry {

    private final byte[] value;
    private final long version;

    /**
     * @param value not copied: the caller must not change it any more
     * @param version see {@link Register#hasRevisions}; 0 if the register has none
     */
    public Entry(byte[] value, long version) {
        this.value = value;
        this.version = version;
    }

    /** The value; not a copy, so it must not be changed. */
    public byte[] value() {
        return value;
    }

    public long version() {
        return version;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Entry entry && version == entry.version && Arrays.equals(value, entry.value);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(version) + Arrays.hashCode(value);
    }

    /** Without the value, which has names in it. */
    @Override
    public String toString() {
        return value.length + " bytes, version " + version;
    }
}
