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

    /** Of a name for which nobody ever had a claim of his own; never changed. */
    static final Bids NONE = new Bids();

    private final Set<Bid> bids = new LinkedHashSet<>();
    private final Map<Key, Hold> owned = new ConcurrentHashMap<>();

    void add(Bid bid) {
        bids.add(bid);
    }

    void remove(Bid bid) {
        bids.remove(bid);
    }

    boolean isEmpty() {
        return bids.isEmpty();
    }

    List<Bid> copy() {
        return List.copyOf(bids);
    }

    boolean isFirstToAsk(Bid asking) {
        for (Bid bid : bids) {
            if (bid.isAsking()) {
                return bid == asking;
            }
        }
        return false;
    }

    /** The one that waits with that claim. */
    @Nullable
    Bid waitingWith(String claimId) {
        for (Bid bid : bids) {
            if (bid.isAsking() && bid.isFor(claimId)) {
                return bid;
            }
        }
        return null;
    }

    /** The owner can be found from now on, if it is one who may ask again. */
    void holds(Hold hold) {
        if (!hold.isHandle()) {
            owned.put(keyOf(hold), hold);
        }
    }

    void holdsNoMore(Hold hold) {
        if (!hold.isHandle()) {
            owned.remove(keyOf(hold), hold);
        }
    }

    @Nullable
    Hold ownedBy(Mode mode, long owner) {
        return owned.isEmpty() ? null : owned.get(new Key(mode, owner));
    }

    /** Those that wait for what their owner has by now. */
    List<Bid> askedAgain(Hold hold) {
        if (bids.isEmpty()) {
            return List.of();
        }
        List<Bid> found = new ArrayList<>(0);
        for (Bid bid : copy()) {
            if (bid.isAsking()
                    && hold.isOwnedBy(bid.waiter().owner)
                    && bid.waiter().demand.mode() == hold.remote.mode()) {
                found.add(bid);
            }
        }
        return found;
    }

    private static Key keyOf(Hold hold) {
        return new Key(hold.remote.mode(), hold.ownerId());
    }
}
