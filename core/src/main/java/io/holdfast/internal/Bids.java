package io.holdfast.internal;

import io.holdfast.spi.Mode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Those of this client who ask for one name with a claim of their own, or hold it by one. Changed on the strand of the
 * name's queue; what an owner holds can be looked up from anywhere.
 */
final class Bids {

    private record Key(Mode mode, long owner) {}

    // Both are there from the first bid on: a plain lock that is held has none.
    private @Nullable Set<Bid> bids;
    private volatile @Nullable Map<Key, Hold> owned;

    void add(Bid bid) {
        if (bids == null) {
            bids = new LinkedHashSet<>();
            owned = new ConcurrentHashMap<>();
        }
        bids.add(bid);
    }

    void remove(Bid bid) {
        if (bids != null) {
            bids.remove(bid);
        }
    }

    boolean isEmpty() {
        return bids == null || bids.isEmpty();
    }

    List<Bid> copy() {
        return bids == null ? List.of() : List.copyOf(bids);
    }

    /** The owner can be found from now on, if it is one who may ask again. */
    void holds(Hold hold) {
        Map<Key, Hold> all = owned;
        if (all != null && !hold.owner.isHandle()) {
            all.put(keyOf(hold), hold);
        }
    }

    void holdsNoMore(Hold hold) {
        Map<Key, Hold> all = owned;
        if (all != null && !hold.owner.isHandle()) {
            all.remove(keyOf(hold), hold);
        }
    }

    @Nullable
    Hold ownedBy(Mode mode, long owner) {
        Map<Key, Hold> all = owned;
        return all == null || all.isEmpty() ? null : all.get(new Key(mode, owner));
    }

    /** Those that wait for what their owner has by now. */
    List<Bid> askedAgainBy(LockOwner owner, Mode mode) {
        List<Bid> found = new ArrayList<>(0);
        for (Bid bid : copy()) {
            if (bid.isAsking()
                    && bid.waiter().owner.is(owner)
                    && bid.waiter().demand.mode() == mode) {
                found.add(bid);
            }
        }
        return found;
    }

    private static Key keyOf(Hold hold) {
        return new Key(hold.remote.claim.mode(), hold.owner.id());
    }
}
