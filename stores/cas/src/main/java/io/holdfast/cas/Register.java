package io.holdfast.cas;

import io.holdfast.Guarantee;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A service that keeps values by keys, and can compare and set them: all that the kernel needs of a store. One object is one
 * client's access to it.
 *
 * <p><b>Keys</b> are text of up to 1,100 bytes of UTF-8, without NUL and unpaired surrogates; otherwise any character may be in
 * them. Values have from 10 bytes to some hundred kilobytes. Both have to come back as they were given.
 *
 * <p><b>Atomic.</b> {@link #cas} and {@link #delete} compare and write in one step, and {@link #get} sees all writes that
 * were answered before it was called, by whichever client (linearizable). A register that may answer with older entries, or forget
 * a write after a failover, loses locks: its {@link #guarantee} says so.
 *
 * <p><b>Not reliable otherwise.</b> A command may run and lose its answer, run late, or run twice; the kernel reads back. It
 * fails with {@link io.holdfast.StoreUnavailableException} when it is not known whether it ran, and with {@link
 * io.holdfast.StoreRefusedException} when it is known that it did not and the service said no, with what to do about it in the
 * message. Each command fails after the time-out of the register at the latest: the kernel has one write under way for each key, and
 * the next one waits for its answer.
 *
 * <p>No method blocks, and none throws for I/O. Stages may complete on any thread. A client that blocks is made a register by
 * {@link BlockingRegister}. A command before the first connection waits for it, for the time-out at most. After {@link #close}
 * every command fails with {@link io.holdfast.StoreUnavailableException}.
 */
public interface Register extends AutoCloseable {

    /**
     * An entry of a listing.
     *
     * @param key its key
     * @param entry what it had when the listing was made, or a moment before or after
     */
    record Listed(String key, Entry entry) {}

    /** The kind of service and where it is, for messages: no secrets. */
    String description();

    /** What its writes survive. */
    Guarantee guarantee();

    /** Whether other processes see the same values. */
    default boolean acrossProcesses() {
        return true;
    }

    /**
     * Whether versions are revisions: each write of any key has a greater one than every write and deletion that was answered before it
     * began, of any key, for ever, whatever was deleted in between, and below 2<sup>45</sup>. A write that deletes takes a revision
     * too, so a key that is deleted and made again has at least the deleted entry's version + 2. Fencing tokens are then made of
     * revisions. Otherwise the kernel counts them, and lets the entry of a name stay for a while when nothing is left in it.
     */
    default boolean hasRevisions() {
        return false;
    }

    /** What the key has; empty if it is absent. */
    CompletionStage<Optional<Entry>> get(String key);

    /**
     * Writes the value if the key has exactly this entry: the version, or the same bytes where there are none. If it does not,
     * nothing is written, and the answer has what is there instead.
     *
     * @param expected an entry of an earlier answer, or {@code null} if the key must be absent
     * @param signals to put once the value is written, in the same step or right behind it, and only then. They are hints:
     *     whether they were put does not change the answer, and the answer need not wait for them. No two have the same key
     */
    CompletionStage<CasResult> cas(String key, @Nullable Entry expected, byte[] value, List<Signal> signals);

    /**
     * Writes the value if the key is absent and the guard has exactly this entry, both compared in one step. Only a register with
     * {@linkplain #hasRevisions revisions} is asked for this, in place of a {@link #cas} that expects the key to be absent.
     *
     * @param guard another key
     * @param guarded what that key must have; {@code null} if it must be absent
     * @return not applied, with no entry, if the key is absent and the guard has another entry
     */
    default CompletionStage<CasResult> create(String key, byte[] value, String guard, @Nullable Entry guarded) {
        return CompletableFuture.failedStage(new UnsupportedOperationException("a register without revisions"));
    }

    /** Deletes the key if it has exactly this entry. If it does not, the answer has what is there instead. */
    CompletionStage<CasResult> delete(String key, Entry expected);

    /**
     * Some of the keys that begin with the prefix.
     *
     * @param after empty, or the last key of the page before: the page goes on behind it, in an order that is the register's and
     *     always the same
     * @param limit how many at most; fewer than that means that there are no more
     */
    CompletionStage<List<Listed>> list(String prefix, String after, int limit);

    /**
     * Reports changes of one key until the subscription is closed, and calls {@link RegisterListener#resync} once the watch is in place
     * and after each gap. Each client watches one key of its own all the time, and those of latches that it waits for. Best
     * effort: what is not reported is found within about a second by reading. A register that can't push may poll with {@link Polling}.
     */
    Subscription watch(String key, RegisterListener listener);

    /**
     * Runs {@code look} when the service may have lost writes, as after a failover that can do so: the engine then asks about all
     * that it holds.
     */
    default Subscription whenUnsure(Runnable look) {
        return () -> {};
    }

    /** Closes what this register opened, without waiting for answers: what is under way fails. */
    @Override
    void close();
}
