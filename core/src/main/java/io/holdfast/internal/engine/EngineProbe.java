package io.holdfast.internal.engine;

import io.holdfast.Lease;
import io.holdfast.internal.claim.Acquisition;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.queue.KeptClaim;
import io.holdfast.internal.queue.LockQueue;
import io.holdfast.internal.queue.QueuedClaim;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of an engine, for verification. It looks without touching: asking a lease whether it is valid makes its end
 * final, so an onlooker that asked all the time would hide the mistake of not asking. To be used while no step runs.
 */
public final class EngineProbe {

    private EngineProbe() {}

    // ---- the queue of one name --------------------------------------------------------------------------------

    /** True if a caller of this client wants the name or has it, as far as the engine knows. */
    public static boolean isInUse(Engine engine, ResourceType type, String name) {
        return engine.queue(type, name) != null;
    }

    /** All local holds of the name, as its queue has them. */
    public static List<Lease> holds(Engine engine, ResourceType type, String name) {
        LockQueue queue = engine.queue(type, name);
        if (queue == null) {
            return List.of();
        }
        Hold plain = queue.hold();
        if (queue.queuedClaims().isEmpty()) {
            return plain == null ? List.of() : List.of(plain);
        }
        List<Lease> holds = new ArrayList<>();
        if (plain != null) {
            holds.add(plain);
        }
        for (QueuedClaim queuedClaim : queue.queuedClaims().copy()) {
            Hold hold = queuedClaim.lastHold();
            if (hold != null) {
                holds.add(hold);
            }
        }
        return holds;
    }

    /** What the owner of that id holds in that mode. */
    public static @Nullable Lease holdOf(Engine engine, String name, Mode mode, long ownerId) {
        return engine.holdOf(name, mode, ownerId);
    }

    /** The claims with which this client asks for the name, holds it or keeps it. */
    public static Set<String> claims(Engine engine, ResourceType type, String name) {
        LockQueue queue = engine.queue(type, name);
        if (queue == null) {
            return Set.of();
        }
        Set<String> claims = new HashSet<>();
        Acquisition acquisition = queue.acquisition();
        if (acquisition != null) {
            claims.add(acquisition.claim().id());
        }
        Hold plain = queue.hold();
        if (plain != null) {
            claims.add(claimId(plain));
        }
        KeptClaim kept = queue.kept();
        if (kept != null && kept.isFree()) {
            claims.add(kept.claim.id());
        }
        queue.queuedClaims()
                .copy()
                .forEach(queuedClaim -> claims.add(queuedClaim.activeClaim().id()));
        return claims;
    }

    /** The claim that is kept though no caller of this client needs it. */
    public static @Nullable String lingering(Engine engine, String name) {
        KeptClaim kept = lingeringClaim(engine, name);
        return kept == null ? null : kept.claim.id();
    }

    /** By the client's clock, when the claim that lingers has to be given back. */
    public static long lingersUntil(Engine engine, String name) {
        KeptClaim kept = lingeringClaim(engine, name);
        if (kept == null) {
            throw new IllegalStateException("nothing lingers");
        }
        return kept.until();
    }

    private static @Nullable KeptClaim lingeringClaim(Engine engine, String name) {
        LockQueue queue = engine.queue(ResourceType.LOCK, name);
        KeptClaim kept = queue == null ? null : queue.kept();
        return kept != null && kept.isLingering() ? kept : null;
    }

    /** The local claims that are to have a place of their own in the store's queue. */
    public static List<String> queued(Engine engine, ResourceType type, String name) {
        LockQueue queue = engine.queue(type, name);
        if (queue == null) {
            return List.of();
        }
        Acquisition plain = queue.acquisition();
        return Stream.concat(
                        Stream.ofNullable(plain).map(Acquisition::claim),
                        queue.queuedClaims().copy().stream()
                                .filter(QueuedClaim::isAsking)
                                .map(QueuedClaim::activeClaim))
                .filter(claim -> claim.policy.queues())
                .map(ActiveClaim::id)
                .toList();
    }

    /** The permits that belong to this client rather than to a handle; the first is given back first. */
    public static List<Lease> clientHolds(Engine engine, String name) {
        ClientPermits permits = engine.permits().of(name);
        return permits == null ? List.of() : List.copyOf(permits.copy());
    }

    // ---- one hold ---------------------------------------------------------------------------------------------

    /** What {@link Lease#isValid()} would say, without making the end final. */
    public static boolean believes(Lease lease, long now) {
        return parts(lease).stream().allMatch(part -> ((Hold) part).seemsValid(now));
    }

    /** The holds that it is made of: itself, or the parts of a multi-lock. */
    public static List<? extends Lease> parts(Lease lease) {
        return ((HeldLease) lease).parts();
    }

    public static boolean isReleased(Lease lease) {
        return ((Hold) lease).isReleased();
    }

    public static int count(Lease lease) {
        return ((Hold) lease).depth();
    }

    public static String claimId(Lease lease) {
        return ((Hold) lease).activeClaim.id();
    }

    public static Claim claim(Lease lease) {
        return ((Hold) lease).activeClaim.claim();
    }

    /** How many of the granted permits it still has. */
    public static int permits(Lease lease) {
        return ((Hold) lease).activeClaim.permits();
    }

    /** The lease that the watchdog keeps renewing, or {@code null} if it ends by itself. */
    public static @Nullable Duration watchdogLease(Lease lease) {
        Hold hold = (Hold) lease;
        return hold.activeClaim.terms.watchdog() && hold.isKept() ? hold.keptFor() : null;
    }

    /** The thread or the id that owns the lock, or {@code null} if a handle does. */
    public static @Nullable Long owner(Lease lease) {
        Hold hold = (Hold) lease;
        return hold.isHandle() ? null : hold.ownerId();
    }
}
