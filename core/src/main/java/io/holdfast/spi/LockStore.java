package io.holdfast.spi;

import io.holdfast.LockState;
import io.holdfast.NotReplicatedException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps claims. This is what every store does, and it is enough for plain, read/write and multi-locks. What not every store can do is
 * an interface of its own: {@link QueueingStore}, {@link SemaphoreStore} and {@link LatchStore}.
 *
 * <p>A name is a list of live claims, and {@link ClaimRule} says which of them are granted. Some hold; where the store has a queue,
 * the rest wait in it, in the order in which the store first saw them.
 *
 * <p>No method blocks or throws on I/O: failures come through the stage, as {@link StoreUnavailableException} when it is
 * not known whether the command ran, {@link StoreRefusedException} when the store said no, and
 * {@link NotReplicatedException} when it ran but may be undone by a failover: what it granted is there until it is released
 * or asked for again. Arguments are valid when they get here.
 *
 * <p><b>Every command is idempotent.</b> The engine repeats a command whose answer it did not get, and a command may run
 * long after it was sent. A claim id is never used for a second claim.
 *
 * <p><b>Time is the store's.</b> A claim that holds ends {@code lease} after the store last ran a command that set it,
 * never earlier; no command makes it end sooner than an earlier one promised, but {@link #release} and
 * {@link #forceRelease}. Each claim has its own end, however many share the name.
 *
 * <p><b>Tokens rise.</b> A grant's tokens are greater than all that were ever granted for the name.
 */
public interface LockStore extends AutoCloseable {

    /** The kind of store and where it is, for messages: no secrets. */
    String description();

    /** What locks on this store are worth, printed at start, and which options of claims it heeds. */
    StoreTraits traits();

    /**
     * Grants the claim if the rule allows it now. Otherwise it is busy: nothing of the claim stays, unless it queues, see {@link
     * QueueingStore}. A claim that is held already is granted again with the token that it has, and its lease is set anew; one that
     * is queued keeps its ticket. A claim for more permits than the semaphore has fails with {@link StoreRefusedException}, not
     * retryable, and leaves no ticket.
     */
    CompletionStage<ClaimResult> claim(Claim claim);

    /**
     * Sets the lease of the claims that are held to {@link Claim#lease} from now, unless it lasts longer already, their stored
     * hold count, and their permits if they are fewer than before; and the tickets of queued claims. A claim that is neither
     * held nor queued any more is left alone. One of which it is not known how it stands is {@link ClaimStatus#UNKNOWN}, and
     * the engine sends it again: one that is not in the answer is lost. If that is so of all of them, the stage fails.
     *
     * @return how the claims stand that the store still has, by their ids
     */
    CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims);

    /**
     * Ends the claim, held or queued, tells the watchers of the name if it is free, and, where there is a queue, notifies the claims
     * whose turn it is now, or grants to the first of them. A claim that the store does not have is left as it is.
     */
    CompletionStage<ReleaseResult> release(Claim claim);

    /**
     * Ends claims that hold, for an operator. Tokens go on rising, and waiting clients are notified as by a release.
     *
     * @param token empty to end all of them. Otherwise only the claim whose grant began with this token, as {@link #inspect} shows
     *     it, and only if it still holds; comparing and ending are one step. So what was seen to hold is ended, and no later holder
     * @return whether there was one
     */
    CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token);

    /**
     * Has every later grant begin above this token, whatever its name: for a fleet that comes from another store, whose tokens the
     * guarded resources have seen. Claims that hold keep the tokens that they have. Tokens are never lowered, so running it twice, or
     * late, changes nothing. By default refused.
     *
     * @param above from 1 to 2<sup>52</sup>
     */
    default CompletionStage<Void> raiseTokens(long above) {
        return CompletableFuture.failedStage(new StoreRefusedException(
                "the tokens of " + description() + " can't be raised: this store does not implement it", false));
    }

    /**
     * Runs {@code look} when the store may have lost claims, in a failover or a restart: then what is held is asked about at
     * once, and not only when it is to be renewed. Best effort; {@code look} is quick.
     */
    default Subscription whenUnsure(Runnable look) {
        return () -> {};
    }

    /** The claims that hold, and the queue, in order. */
    CompletionStage<LockState> inspect(Resource resource);

    /** The locks or semaphores that are held and whose names begin with the prefix, in no order, {@code limit} at most. */
    CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit);

    /**
     * Runs {@code changed} after the lock may have become free (no claim holds it), or the latch has changed, and once as
     * soon as the watch is in place, since what happened before is not seen by it. Best effort: a run may be missing, late or
     * for nothing, and the engine checks again each second anyway. {@code changed} is quick. By default nothing is watched.
     */
    default Subscription watch(Resource resource, Runnable changed) {
        return () -> {};
    }

    /** Names of one shard may be renewed in one batch; a shard that fails or is slow does not touch another one. */
    default String shard(String name) {
        return "";
    }

    /**
     * What this store can do beyond this interface; {@code null} if it can't. The engine asks once. A store that wraps another one
     * answers as that one would.
     *
     * @param type {@link QueueingStore}, {@link SemaphoreStore} or {@link LatchStore}
     */
    default <T> @Nullable T capability(Class<T> type) {
        return type.isInstance(this) ? type.cast(this) : null;
    }

    /** Closes what this store opened, without waiting for answers: what is under way fails. */
    @Override
    void close();
}
