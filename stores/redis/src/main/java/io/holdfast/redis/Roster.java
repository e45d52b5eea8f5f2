package io.holdfast.redis;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A master and its replicas, as those say that know.
 *
 * @param promotable how many replicas could take its place now; see {@link ReplicationBarrier#all()}
 * @param listed its replicas, down or not
 * @param others every server that may have acknowledged what counted before this one was the master
 * @param agreed whether no client can still be told of another master
 * @param masterForMillis for how long at least that has been so
 * @param includedSince since when this master was left out of no barrier while it was a replica, by the monotonic clock
 * @param allIncludedSince since when none of its replicas has been
 */
record Roster(
        int promotable,
        Set<Address> listed,
        Set<Address> others,
        boolean agreed,
        long masterForMillis,
        @Nullable Long includedSince,
        @Nullable Long allIncludedSince) {

    /** Where nothing else is known of a master's past. */
    Roster(int promotable, Set<Address> listed, Set<Address> others) {
        this(promotable, listed, others, true, 0, null, null);
    }
}
