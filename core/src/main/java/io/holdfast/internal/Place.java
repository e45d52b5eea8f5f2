package io.holdfast.internal;

import io.holdfast.spi.Claim;

/**
 * The place of a claim in the store's queue, as far as its client can be sure of it: a place that was not renewed in time is
 * gone, and who has another one since may have been passed.
 */
final class Place {

    private boolean known;
    private long since;
    private long until;

    /** The store has said by now that the claim has a place, to a command that was sent then. */
    void kept(long sentAt, long now) {
        long end = Terms.deadline(sentAt, Claim.PLACE);
        if (!known || now - until >= 0) {
            since = now; // as far as is known, it is a new one
            until = end;
        } else if (end - until > 0) {
            until = end;
        }
        known = true;
    }

    /** The store does not know of it. */
    void gone() {
        known = false;
    }

    /** Whether it has been the same one from then to now. */
    boolean isSince(long then, long now) {
        return known && since - then <= 0 && now - until < 0;
    }
}
