package io.holdfast.spi.support;

import io.holdfast.spi.Claim;
import java.time.Instant;

/**
 * One live claim of a name, which holds or waits in the queue.
 *
 * @param claim the claim as its client last sent it, with the permits that it still has. A store may keep less of it: the
 *     rules need its id, mode, permits, compatible claim and whether it is revocable, and of a queued claim that may
 *     be granted on release also its lease, tokens and policy
 * @param ticket the number of its ticket in the queue, or 0 if it was granted without one in this line's state
 * @param token the first of its tokens; 0 while it waits
 * @param since when it was granted, or when it took its ticket; only shown
 * @param endsAt when its lease or its ticket ends, in nanoseconds on the clock of {@link CommandContext#now}
 */
public record LineEntry(Claim claim, long ticket, long token, Instant since, long endsAt) {

    public String id() {
        return claim.id();
    }

    boolean hasEnded(long now) {
        return endsAt - now <= 0;
    }

    /** Never ends sooner than before: a late command must not take away what an earlier one promised. */
    LineEntry keptUntil(long end) {
        return end - endsAt > 0 ? new LineEntry(claim, ticket, token, since, end) : this;
    }

    /** Takes over what a repeated claim or a renewal may change. Permits that were given up do not come back. */
    LineEntry renewed(Claim sent, long end) {
        Claim kept = sent.permits() > claim.permits() ? sent.withPermits(claim.permits()) : sent;
        return new LineEntry(kept, ticket, token, since, end - endsAt > 0 ? end : endsAt);
    }

    LineEntry withToken(long first) {
        return new LineEntry(claim, ticket, first, since, endsAt);
    }
}
