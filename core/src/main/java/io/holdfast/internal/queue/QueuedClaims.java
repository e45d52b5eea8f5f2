package io.holdfast.internal.queue;

import io.holdfast.internal.claim.Hold;
import io.holdfast.spi.Mode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The queued claims of this client for one name, those that wait and those that hold. Changed on the strand of the
 * name's queue; what an owner holds can be looked up from anywhere.
 */
public final class QueuedClaims {

    private record Key(Mode mode, long owner) {}

    /** Shared by all names that never had a queued claim; never changed. */
    static final QueuedClaims NONE = new QueuedClaims();

    private final Set<QueuedClaim> queuedClaims = new LinkedHashSet<>();
    private final Map<Key, Hold> owned = new ConcurrentHashMap<>();

    void add(QueuedClaim queuedClaim) {
        queuedClaims.add(queuedClaim);
    }

    void remove(QueuedClaim queuedClaim) {
        queuedClaims.remove(queuedClaim);
    }

    public boolean isEmpty() {
        return queuedClaims.isEmpty();
    }

    public List<QueuedClaim> copy() {
        return List.copyOf(queuedClaims);
    }

    boolean isFirstToAsk(QueuedClaim asking) {
        for (QueuedClaim queuedClaim : queuedClaims) {
            if (queuedClaim.isAsking()) {
                return queuedClaim == asking;
            }
        }
        return false;
    }

    /** The queued claim with that id, if it waits. */
    @Nullable
    QueuedClaim waitingWith(String claimId) {
        for (QueuedClaim queuedClaim : queuedClaims) {
            if (queuedClaim.isAsking() && queuedClaim.isFor(claimId)) {
                return queuedClaim;
            }
        }
        return null;
    }

    /** The owner can be found from now on, unless it is a handle. */
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

    /** The claims that wait for what their owner has by now. */
    List<QueuedClaim> askedAgain(Hold hold) {
        if (queuedClaims.isEmpty()) {
            return List.of();
        }
        List<QueuedClaim> found = new ArrayList<>(0);
        for (QueuedClaim queuedClaim : copy()) {
            if (queuedClaim.isAsking()
                    && hold.isOwnedBy(queuedClaim.waiter().owner)
                    && queuedClaim.waiter().request.mode() == hold.activeClaim.mode()) {
                found.add(queuedClaim);
            }
        }
        return found;
    }

    private static Key keyOf(Hold hold) {
        return new Key(hold.activeClaim.mode(), hold.ownerId());
    }
}
