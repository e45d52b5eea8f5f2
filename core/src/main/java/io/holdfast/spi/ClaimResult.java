package io.holdfast.spi;

import java.time.Duration;
import java.util.List;

/** The answer to a claim. */
public sealed interface ClaimResult {

    /**
     * The claim is held from the moment the store ran the command, for the lease that was asked for.
     *
     * @param token the first of the {@link Claim#tokens} tokens that are now this claim's; each is greater than all that
     *     were ever granted for the name
     * @param next of an exclusive claim, the same client's claims that come right behind it in the queue, in their order and
     *     with no other client's between them: its client may hand the lock to these by itself. At most as many as the claim
     *     has tokens besides the first. A store need not say; then the list is empty
     */
    record Granted(long token, List<Next> next) implements ClaimResult {

        public Granted {
            next = List.copyOf(next);
        }

        public Granted(long token) {
            this(token, List.of());
        }
    }

    /**
     * Other claims come first. A claim that {@linkplain QueuePolicy#queues queues} has its ticket now, for {@link Claim#TICKET} from the
     * moment the store ran the command.
     *
     * @param retryAfter when it may be granted without a command of another client, because a lease ends; sending it earlier
     *     without a hint is of no use. For a claim with other claims before it in the queue, longer than it need wait for its turn
     * @param ticket the number of the ticket that it has, if it has one: another than that of any ticket it had before. 0 where
     *     the store does not number them; then it grants nothing on release, and says of no claim that it is next
     * @param watch whether the lock may be freed by a client that does not know of the queue and notifies no claim; then a queued claim
     *     watches the name as well
     */
    record Busy(Duration retryAfter, long ticket, boolean watch) implements ClaimResult {

        public Busy(Duration retryAfter, long ticket) {
            this(retryAfter, ticket, false);
        }

        public Busy(Duration retryAfter) {
            this(retryAfter, 0);
        }
    }

    /** A claim in the queue, and the number of its ticket. */
    record Next(String claimId, long ticket) {}
}
