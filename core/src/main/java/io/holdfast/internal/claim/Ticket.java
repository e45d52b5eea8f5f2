package io.holdfast.internal.claim;

import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Claim;

/**
 * The place of a claim in the store's queue, as far as its client can be sure of it: a place that was not renewed in time is
 * gone, and an attempt that is out may have taken another.
 */
final class Ticket {

    private long number;
    private long keptAt;

    /** The store has said that the claim has the place of this number, to a command that was sent then; 0 if it can't be known. */
    void taken(long number, long sentAt) {
        this.number = number;
        this.keptAt = sentAt;
    }

    /** The store has said that it has one still, to a command that was sent then. */
    void kept(long sentAt) {
        if (sentAt - keptAt > 0) {
            keptAt = sentAt;
        }
    }

    /** It is gone, or may be another from now on. */
    void unknown() {
        number = 0;
    }

    /** Whether it is the one of this number, and was there all the time up to now. */
    boolean is(long number, long now) {
        return number != 0 && this.number == number && now - LeaseTerms.deadline(keptAt, Claim.TICKET) < 0;
    }

    /** When the command was sent that last kept it. */
    long keptAt() {
        return keptAt;
    }
}
