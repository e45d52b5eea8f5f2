package io.holdfast.spi;

/**
 * A store with a queue of claims for each name. A claim that {@linkplain QueuePolicy#queues queues} takes a ticket if it is not
 * granted, and its client is notified when its turn has come. Fair locks need this; plain and read/write locks that have to
 * wait use it where it is there, so that a hand-over costs the same however many clients wait.
 *
 * <p>A ticket ends {@link Claim#TICKET} after the command that last took or renewed it. {@link #claim}, {@link #renew} and {@link
 * #release} of such a store also serve queued claims, as they say.
 */
public interface QueueingStore extends LockStore {

    /**
     * Notifies a client of what concerns its claims, until the subscription is closed: a queued claim whose turn has come, because
     * another was released, left the queue or gave up permits, and no claim behind it that would not be granted; a revocable
     * claim because of which another was not granted; a claim that was granted on release. {@link ClaimListener#resync} as soon as the
     * subscription is in place, where that takes a while, and after each gap. Best effort, as {@link #watch} is: {@link
     * ClaimStatus#TURN_REACHED} says the same of queued claims.
     *
     * @param client what the ids of the claims begin with, before the colon
     */
    Subscription subscribe(String client, ClaimListener listener);
}
