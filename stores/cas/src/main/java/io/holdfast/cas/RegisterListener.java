package io.holdfast.cas;

import org.jspecify.annotations.Nullable;

/** Receives what a {@linkplain Register#watch watch} sees. Its methods are quick and don't block, and may run on any thread. */
public interface RegisterListener {

    /**
     * The key has this entry now, or did a moment ago; {@code null} if it was deleted.
     *
     * <p>Entries may be missing, come twice or late. They come in the order in which they were written where the register can
     * tell.
     */
    void changed(@Nullable Entry entry);

    /** The watch is in place from now on, for the first time or again after a gap: changes before this may have been missed. */
    void resync();
}
