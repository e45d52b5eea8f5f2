package io.holdfast.internal.claim;

import io.holdfast.spi.ClaimResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What wants the claim of an {@link Acquisition}. Called on the strand, when no command is under way. */
interface Acquirer {

    /**
     * The claim is held. Nothing is asked any more.
     *
     * @param next the claims of this client that come right behind it at the store
     * @return completes when the store knows of the claim's release, if it was given back at once
     */
    CompletableFuture<Void> granted(ActiveClaim claim, List<ClaimResult.Next> next);

    /** There is another holder, as of this attempt. */
    Decision busy(ActiveClaim claim, long attempt);

    /** True if the next to get it is handed its lease. */
    boolean isForHandle();

    /** True if it is the first of this client's queued claims to wait for the name. */
    default boolean isFirst() {
        return true;
    }

    /** The store said no, and will go on saying so. The acquisition {@linkplain #stopped stops}. */
    void refused(Throwable failure);

    /** The store can't be asked, since then. Unless the asker says stop, it will be tried again. */
    Decision failing(Throwable failure, long since);

    /** The latest time for the next try, for a store that has been failing since then. */
    long nextGiveUp(long since);

    /** The acquisition has stopped, as the asker had decided. */
    void stopped(Decision why);
}
