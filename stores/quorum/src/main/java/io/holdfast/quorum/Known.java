package io.holdfast.quorum;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The claims of this client that there is something to remember of. */
final class Known {

    /**
     * A claim that was not asked about for this long, and for twice the longest lease that it had, will not be asked for
     * again: a waiting claim asks every second. By then the {@link Cleaner} has done with it too, within its lease.
     */
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int nodes;
    private final Surroundings world;
    private final ConcurrentHashMap<String, ClaimState> states = new ConcurrentHashMap<>();
    private final AtomicLong sweptAt;

    Known(int nodes, Surroundings world) {
        this.nodes = nodes;
        this.world = world;
        this.sweptAt = new AtomicLong(world.nanos());
    }

    /** The claim is about to be asked for; {@link #leave} follows. */
    @SuppressWarnings("NullAway") // compute() that never gives null
    ClaimState enter(String id, long leaseNanos) {
        long now = world.nanos();
        ClaimState entered = states.compute(id, (same, known) -> {
            ClaimState state = known == null ? new ClaimState(nodes) : known;
            state.asking++;
            state.usedAt = now;
            state.leaseNanos = Math.max(state.leaseNanos, leaseNanos);
            return state;
        });
        sweep(now);
        return entered;
    }

    void leave(String id, ClaimState left) {
        states.computeIfPresent(id, (same, state) -> {
            if (state != left) {
                return state;
            }
            state.asking--;
            return state.asking > 0 || state.isWorthKeeping() ? state : null;
        });
    }

    @Nullable
    ClaimState get(String id) {
        return get(id, 0);
    }

    /** The claim is asked about with this lease: the nodes may keep it for so long from now on. */
    @Nullable
    ClaimState get(String id, long leaseNanos) {
        ClaimState found = states.get(id);
        if (found == null) {
            return null;
        }
        if (leaseNanos <= found.leaseNanos) {
            found.usedAt = world.nanos();
            return found;
        }
        return states.computeIfPresent(id, (same, state) -> {
            state.usedAt = world.nanos();
            state.leaseNanos = Math.max(state.leaseNanos, leaseNanos);
            return state;
        });
    }

    /** The claim is over and a majority has confirmed it. */
    void released(String id, ClaimState state) {
        state.released();
        forget(id, state);
    }

    private void forget(String id, ClaimState state) {
        states.computeIfPresent(id, (same, known) -> known == state && state.asking == 0 ? null : known);
    }

    /** Under which id the node has a claim. */
    String idAt(Node node, String id) {
        ClaimState state = states.get(id);
        return state == null ? id : state.idAt(node, id);
    }

    /** How many are held, wait, or are asked for. */
    int inUse() {
        return (int) states.values().stream().filter(ClaimState::isInUse).count();
    }

    private void sweep(long now) {
        long last = sweptAt.get();
        if (now - last < SWEEP_NANOS || !sweptAt.compareAndSet(last, now)) {
            return;
        }
        states.forEach((id, state) -> {
            if (now - state.usedAt > KEPT_NANOS + 2 * state.leaseNanos) {
                forget(id, state);
            }
        });
    }
}
