package io.holdfast.spi;

import io.holdfast.LockState;
import io.holdfast.NotReplicatedException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Keeps claims. A name is an ordered list of live claims, and {@link ClaimRule} says which of them are granted. Some hold;
 * others wait in a queue, in the order in which the store first saw them.
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
 * {@link #forceRelease}. Each claim has its own end, however many share the name. A place in the queue ends
 * {@link Claim#TICKET} after the command that last renewed it.
 */
public interface LockStore extends AutoCloseable {

    /** The kind of store and where it is, for messages: no secrets. */
    String description();

    /** What locks on this store are worth, printed at start. */
    StoreTraits traits();

    /**
     * Grants the claim if the rule allows it now; otherwise it waits, as its {@link Claim#policy} says. A claim that is held
     * already is granted again with the token that it has, and its lease is set anew; one that waits keeps its place. A
     * claim for more permits than the semaphore has fails with {@link StoreRefusedException}, not retryable, and leaves
     * no place.
     */
    CompletionStage<ClaimResult> claim(Claim claim);

    /**
     * Sets the lease of those that are held to {@link Claim#lease} from now, unless it lasts longer already, their stored
     * hold count, and their permits if those are fewer than before; and the places of those that wait. What is neither
     * held nor waiting any more is left alone. One of which it is not known how it stands is {@link ClaimStatus#UNKNOWN}, and
     * the engine sends it again: one that is not in the answer is lost. If that is so of all of them, the stage fails.
     *
     * @return how those stand that the store still has, by their ids
     */
    CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims);

    /**
     * Ends the claim, held or waiting, calls those whose turn it is now, and tells the watchers of the name if it is free.
     * A claim that the store does not have is left as it is. If the one whose turn it is may be granted {@linkplain
     * Claim#grantOnRelease by a call}, it is.
     */
    CompletionStage<ReleaseResult> release(Claim claim);

    /**
     * Calls {@code changed} after the lock may have become free (nobody holds it), or the latch has changed, and once as
     * soon as the watch is in place (what happened before is not seen by it). Best effort: a call may be missing, late or
     * for nothing. {@code changed} is quick.
     */
    Subscription watch(ResourceType kind, String name, Runnable changed);

    /**
     * Calls {@code called} with the id of a waiting claim of that client when it would be granted if it asked, because
     * another was released, left the queue or gave up permits; not those behind it that would not be. One that asks for
     * more permits than there are is called too, to be refused. A claim that holds and {@linkplain Claim#revocable revocable} is
     * called when another is not granted because of it. Best effort, as {@link #watch} is: {@link ClaimStatus#TURN_REACHED} says
     * the same of those that wait.
     *
     * <p>Where it takes a while until calls are heard, for the first time or again, {@code called} gets an empty id as soon
     * as they are: any of those that wait may have been called before.
     *
     * @param client what the ids of the claims begin with, before the colon
     */
    Subscription listen(String client, ClaimListener called);

    /**
     * Calls {@code look} when the store may have lost claims, in a failover or a restart: then what is held is asked about at
     * once, and not only when it is to be renewed. Best effort; {@code look} is quick.
     */
    default Subscription whenUnsure(Runnable look) {
        return () -> {};
    }

    /** Who holds, and who waits in the queue, in order. */
    CompletionStage<LockState> inspect(ResourceType kind, String name);

    /** The locks or semaphores that are held and whose names begin with the prefix, in no order, {@code limit} at most. */
    CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit);

    /** Ends every claim that holds; tokens go on rising and those who wait are called. Whether there was one. */
    CompletionStage<Boolean> forceRelease(ResourceType kind, String name);

    /**
     * Changes how many permits a semaphore has, once for this id, and calls those whose turn it is now. It never goes below
     * zero; permits that are out stay out.
     *
     * @param by how many more, or fewer
     * @param capacity how many it has before that if the store does not know of it yet
     * @return how many it has then
     */
    CompletionStage<Integer> addPermits(String name, String id, int by, int capacity);

    /** The latches of this store. */
    LatchStore latches();

    /** Names of one shard may be renewed in one batch; a shard that fails or is slow does not touch the others. */
    default String shard(String name) {
        return "";
    }

    /** Closes what this store opened, without waiting for answers: what is under way fails. */
    @Override
    void close();
}
