package io.holdfast.redis;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A script to run for one name, on whichever server keeps it.
 *
 * @param <R> what comes of it
 */
final class Request<R> {

    final String what;
    final Script script;
    final String[] keys;
    final String[] args;
    final Function<Answer, R> read;
    final Function<Epoch, @Nullable R> instead;
    final Predicate<R> counts;

    /** Whether it may grant something, so that it must be known before whether the server has lost data. */
    final boolean grants;

    /** For how long its result may be believed in; zero where that has no end. */
    final Duration lease;

    private Request(
            String what,
            Script script,
            String[] keys,
            String[] args,
            Function<Answer, R> read,
            Function<Epoch, @Nullable R> instead,
            Predicate<R> counts,
            boolean grants,
            Duration lease) {
        this.what = what;
        this.script = script;
        this.keys = keys;
        this.args = args;
        this.read = read;
        this.instead = instead;
        this.counts = counts;
        this.grants = grants;
        this.lease = lease;
    }

    /**
     * @param what what is asked for, to begin error messages with
     * @param keys all in one slot
     * @param read makes the result of the answer, or throws
     */
    static <R> Request<R> of(String what, Script script, String[] keys, String[] args, Function<Answer, R> read) {
        return new Request<>(what, script, keys, args, read, epoch -> null, result -> false, false, Duration.ZERO);
    }

    /**
     * Of what may grant something.
     *
     * @param instead an answer without the script, asked for once there is a connection and what it had to tell is known
     */
    Request<R> unless(Function<Epoch, @Nullable R> instead) {
        return new Request<>(what, script, keys, args, read, instead, counts, true, lease);
    }

    /** The same, telling watchers on the channels of slots. */
    Request<R> sharded() {
        return new Request<>(what, script.telling(true), keys, args, read, instead, counts, grants, lease);
    }

    /** @param counts whether a result is one that must survive a failover, and be told no earlier */
    Request<R> replicatedIf(Predicate<R> counts) {
        return replicatedIf(counts, lease);
    }

    /** @param lease for how long such a result may be believed in, where it has an end */
    Request<R> replicatedIf(Predicate<R> counts, Duration lease) {
        return new Request<>(what, script, keys, args, read, instead, counts, grants, lease);
    }
}
