package io.holdfast.spi;

import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Keeps claims. A lock is an ordered list of live claims; an exclusive claim is granted when no other is.
 *
 * <p>No method blocks or throws on I/O: failures come through the stage, as {@link StoreUnavailableException} when it is
 * not known whether the command ran, and {@link StoreRefusedException} when the store said no. Arguments are valid when
 * they get here.
 *
 * <p><b>Every command is idempotent.</b> The engine repeats a command whose answer it did not get, and a command may run
 * long after it was sent. A claim id is never used for a second claim.
 *
 * <p><b>Time is the store's.</b> A claim ends {@code lease} after the store last ran a command that set it, never
 * earlier; no command makes it end sooner than an earlier one promised, but {@link #release} and {@link #forceRelease}.
 */
public interface LockStore extends AutoCloseable {

    /** The kind of store and where it is, for messages: no secrets. */
    String description();

    /** What locks on this store are worth, printed at start. */
    StoreTraits traits();

    /**
     * Grants the claim if the rule allows it now. A claim that is held already is granted again with the token that it
     * has, and its lease is set anew.
     */
    CompletionStage<Outcome> claim(Claim claim);

    /**
     * Sets the lease of those that are held to {@link Claim#lease} from now, unless it lasts longer already, and their
     * stored hold count. What is not held any more is left alone.
     *
     * @return the ids of those that are still held
     */
    CompletionStage<Set<String>> renew(List<Claim> claims);

    /** Ends the claim and tells the watchers of its name. A claim that is not held is left as it is. */
    CompletionStage<Release> release(Claim claim);

    /**
     * Calls {@code changed} after the lock may have become free, and once as soon as the watch is in place (what happened
     * before is not seen by it). Best effort: a call may be missing, late or for nothing. {@code changed} is quick.
     */
    Subscription watch(String name, Runnable changed);

    /** Who holds the lock, and who waits where the store knows. */
    CompletionStage<LockState> inspect(String name);

    /** The locks that are held and whose names begin with the prefix, in no order, {@code limit} of them at most. */
    CompletionStage<List<LockState>> list(String prefix, int limit);

    /** Ends whatever claim holds the lock; its tokens go on rising. The answer is whether there was one. */
    CompletionStage<Boolean> forceRelease(String name);

    /** Names of one shard may be renewed in one batch; a shard that fails or is slow does not touch the others. */
    default String shard(String name) {
        return "";
    }

    /** Closes what this store opened. */
    @Override
    void close();
}
