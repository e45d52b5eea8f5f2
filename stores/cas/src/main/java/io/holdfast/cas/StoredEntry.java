package io.holdfast.cas;

import io.holdfast.spi.Claim;
import java.time.Instant;

/**
 * One claim in the value of its name.
 *
 * @param ticket the number of its ticket, or 0
 * @param token the first of its tokens; 0 while it waits
 * @param beat another number after each command that set its lease. A ticket keeps the one that it was taken with
 * @param nanos how long it lasts from the moment at which this beat was written
 */
record StoredEntry(Claim claim, long ticket, long token, Instant since, Stamp beat, long nanos) {

    String id() {
        return claim.id();
    }

    StoredEntry above(long base) {
        return new StoredEntry(
                claim, ticket == 0 ? 0 : ticket + base, token == 0 ? 0 : token + base, since, beat, nanos);
    }
}
