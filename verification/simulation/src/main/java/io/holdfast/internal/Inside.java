package io.holdfast.internal;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Mode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulation's window into the engine: it looks without touching. Asking a lease whether it is valid makes its end
 * final, so an onlooker who asked all the time would hide the mistake of not asking.
 */
public final class Inside {

    private static final VarHandle LOCKS;
    private static final VarHandle SEMAPHORES;
    private static final VarHandle PERMITS;
    private static final VarHandle CLIENT_HOLDS;
    private static final VarHandle LATCHES;
    private static final VarHandle ASKING;
    private static final VarHandle KEPT;
    private static final VarHandle PHASE;
    private static final VarHandle STAY;
    private static final VarHandle BID_CLAIM;
    private static final VarHandle BID_HOLD;
    private static final VarHandle DEADLINE;
    private static final VarHandle STATE;

    static {
        try {
            LOCKS = in(Engine.class).findVarHandle(Engine.class, "queues", Map.class);
            SEMAPHORES = in(Engine.class).findVarHandle(Engine.class, "semaphores", Map.class);
            PERMITS = in(Engine.class).findVarHandle(Engine.class, "permits", Map.class);
            CLIENT_HOLDS = in(ClientPermits.class).findVarHandle(ClientPermits.class, "holds", Deque.class);
            LATCHES = in(Engine.class).findVarHandle(Engine.class, "latches", Latches.class);
            ASKING = in(LockQueue.class).findVarHandle(LockQueue.class, "asking", Asking.class);
            KEPT = in(LockQueue.class).findVarHandle(LockQueue.class, "lingering", RemoteClaim.class);
            PHASE = in(LockQueue.class)
                    .findVarHandle(
                            LockQueue.class,
                            "phase",
                            in(LockQueue.class).findClass(LockQueue.class.getName() + "$Phase"));
            STAY = in(LockQueue.class).findVarHandle(LockQueue.class, "stay", Stay.class);
            BID_CLAIM = in(Bid.class).findVarHandle(Bid.class, "remote", RemoteClaim.class);
            BID_HOLD = in(Bid.class).findVarHandle(Bid.class, "hold", Hold.class);
            DEADLINE = in(RemoteClaim.class).findVarHandle(RemoteClaim.class, "deadline", long.class);
            STATE = in(Hold.class)
                    .findVarHandle(Hold.class, "state", in(Hold.class).findClass(Hold.class.getName() + "$State"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Inside() {}

    private static MethodHandles.Lookup in(Class<?> type) throws IllegalAccessException {
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }

    // ---- the queue of one name --------------------------------------------------------------------------------

    private static @Nullable LockQueue queue(Engine engine, Kind kind, String name) {
        return (LockQueue) ((Map<?, ?>) (kind == Kind.LOCK ? LOCKS : SEMAPHORES).get(engine)).get(name);
    }

    /** Whether anybody in this client wants or has it, as far as the engine knows. */
    public static boolean isInUse(Engine engine, Kind kind, String name) {
        return queue(engine, kind, name) != null;
    }

    /** All who hold it in this client, as its queue has them. */
    public static List<Lease> holds(Engine engine, Kind kind, String name) {
        LockQueue queue = queue(engine, kind, name);
        if (queue == null) {
            return List.of();
        }
        Hold plain = queue.hold();
        if (queue.bids().isEmpty()) {
            return plain == null ? List.of() : List.of(plain);
        }
        List<Lease> holds = new ArrayList<>();
        if (plain != null) {
            holds.add(plain);
        }
        for (Bid bid : queue.bids().copy()) {
            Hold hold = (Hold) BID_HOLD.get(bid);
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

    /** The claims with which this client asks for the name or holds it. */
    public static Set<String> claims(Engine engine, Kind kind, String name) {
        LockQueue queue = queue(engine, kind, name);
        if (queue == null) {
            return Set.of();
        }
        Set<String> claims = new HashSet<>();
        Asking asking = (Asking) ASKING.get(queue);
        if (asking != null) {
            claims.add(asking.claim().id());
        }
        Hold plain = queue.hold();
        if (plain != null) {
            claims.add(claimId(plain));
        }
        RemoteClaim kept = (RemoteClaim) KEPT.get(queue);
        if (kept != null) {
            claims.add(kept.id());
        }
        queue.bids().copy().forEach(bid -> claims.add(((RemoteClaim) BID_CLAIM.get(bid)).id()));
        return claims;
    }

    /** The claim that is kept though nobody in this client needs it. */
    public static @Nullable String lingering(Engine engine, String name) {
        LockQueue queue = queue(engine, Kind.LOCK, name);
        RemoteClaim kept = queue == null || !phase(queue).equals("LINGERING") ? null : (RemoteClaim) KEPT.get(queue);
        return kept == null ? null : kept.id();
    }

    private static String phase(LockQueue queue) {
        return ((Enum<?>) PHASE.get(queue)).name();
    }

    /** By the client's clock, when the claim that is kept has to be given back. */
    public static long lingersUntil(Engine engine, String name) {
        return ((Stay) STAY.get(queue(engine, Kind.LOCK, name))).until;
    }

    /** Those of this client who ask with a claim of their own that is to have a place in the store's queue. */
    public static List<String> queued(Engine engine, Kind kind, String name) {
        LockQueue queue = queue(engine, kind, name);
        if (queue == null || queue.bids().isEmpty()) {
            return List.of();
        }
        return queue.bids().copy().stream()
                .filter(Bid::isAsking)
                .map(bid -> ((RemoteClaim) BID_CLAIM.get(bid)).claim())
                .filter(claim -> claim.turn().queues())
                .map(Claim::id)
                .toList();
    }

    /** The permits that belong to this client rather than to a handle, those first that are given back first. */
    public static List<Lease> clientHolds(Engine engine, String name) {
        Object known = ((Map<?, ?>) PERMITS.get(engine)).get(name);
        return known == null ? List.of() : new ArrayList<>((Deque<Hold>) CLIENT_HOLDS.get((ClientPermits) known));
    }

    // ---- one hold ---------------------------------------------------------------------------------------------

    /** What {@link Lease#isValid()} would say, without its making the end final. */
    public static boolean believes(Lease lease, long now) {
        for (Lease part : parts(lease)) {
            Hold hold = (Hold) part;
            long deadline = (long) DEADLINE.get(hold.remote);
            if (deadline == Long.MIN_VALUE
                    || deadline - now <= 0
                    || !((Enum<?>) STATE.get(hold)).name().equals("LIVE")) {
                return false;
            }
        }
        return true;
    }

    /** The holds that it is made of: itself, or those of a multi-lock. */
    public static List<? extends Lease> parts(Lease lease) {
        return lease instanceof MultiHold multi ? multi.parts() : List.of(lease);
    }

    public static boolean isReleased(Lease lease) {
        return ((Hold) lease).isReleased();
    }

    public static int count(Lease lease) {
        return ((Hold) lease).depth();
    }

    public static String claimId(Lease lease) {
        return ((Hold) lease).remote.id();
    }

    public static Claim claim(Lease lease) {
        return ((Hold) lease).remote.claim();
    }

    /** How many permits it has, of those that it was granted. */
    public static int permits(Lease lease) {
        return ((Hold) lease).remote.permits;
    }

    /** The lease that the watchdog keeps renewing, or {@code null} if it ends by itself. */
    public static @Nullable Duration watchdogLease(Lease lease) {
        Hold hold = (Hold) lease;
        return hold.remote.terms.watchdog() && hold.isKept() ? hold.keptFor() : null;
    }

    /** The thread or the id that owns the lock, or {@code null} if a handle does. */
    public static @Nullable Long owner(Lease lease) {
        Hold hold = (Hold) lease;
        return hold.isHandle() ? null : hold.ownerId();
    }

    // ---- what blocking callers do, without a thread to block ----------------------------------------------------

    /** {@link Lease#extend} up to where it would park. */
    public static CompletableFuture<Void> extend(Lease lease, Duration by) {
        return ((Held) lease).extendAsync(Limits.lease(by));
    }

    /**
     * A blocking, interruptible acquisition up to where it would park.
     *
     * @param leased its lease time, or {@code null} for the watchdog's
     */
    public static Parked park(DistributedLock lock, @Nullable Duration leased, @Nullable Long ownerId, long waitNanos) {
        LockFace face = (LockFace) lock;
        LockOwner owner =
                ownerId == null ? LockOwner.ofHandle() : new LockOwner(LockOwner.Kind.THREAD, ownerId, "thread");
        Terms terms = leased == null ? face.watchdog() : Terms.leased(Limits.lease(leased));
        return new Parked(face.ask(terms, owner, waitNanos, false));
    }

    /** The same, of permits. */
    public static Parked parkPermits(
            Engine engine, String name, boolean fair, int permits, int capacity, Terms terms, long waitNanos) {
        Demand demand = Demand.permits(fair, permits, capacity);
        return new Parked(engine.ask(name, demand, terms, LockOwner.ofHandle(), waitNanos));
    }

    /** What a thread does with permits once it has them, if they are to be the client's. */
    public static void keepPermits(Engine engine, Lease permits) {
        engine.keepPermits((Hold) permits);
    }

    /** {@link io.holdfast.DistributedSemaphore#addPermits} up to where it would park. */
    public static CompletableFuture<Integer> addPermits(Engine engine, String name, int by, int capacity) {
        String id = engine.newId();
        return engine.callInTime(name, () -> engine.store().addPermits(name, id, by, capacity));
    }

    /** {@link io.holdfast.DistributedLatch#trySetCount} up to where it would park. */
    public static CompletableFuture<Boolean> setLatch(Engine engine, String name, long count) {
        String id = engine.newId();
        return latches(engine)
                .send(name, store -> store.set(name, id, count))
                .answer()
                .thenApply(latch -> latch.id().equals(id));
    }

    /** {@link io.holdfast.DistributedLatch#delete} up to where it would park. */
    public static CompletableFuture<Boolean> deleteLatch(Engine engine, String name) {
        return latches(engine).send(name, store -> store.look(name)).answer().thenCompose(latch -> {
            if (!latch.exists()) {
                return CompletableFuture.completedFuture(false);
            }
            Repeated<Boolean> deletion = latches(engine).send(name, store -> store.delete(name, latch.id()));
            return deletion.answer().thenApply(deleted -> deleted || deletion.wasRepeated());
        });
    }

    private static Latches latches(Engine engine) {
        return (Latches) LATCHES.get(engine);
    }

    /** A thread that waits. */
    public static final class Parked {

        public static final long FOREVER = Waiter.FOREVER;

        private final Asked asked;

        Parked(Asked asked) {
            this.asked = asked;
        }

        public CompletableFuture<? extends @Nullable Lease> result() {
            return asked.result();
        }

        /** From now on it sleeps. When it is called, it is to do what is handed to {@code called} once it is awake. */
        public void sleep(Consumer<Runnable> called) {
            if (asked instanceof Waiter waiter) {
                waiter.result.sleep(() -> called.accept(waiter::came));
            }
        }

        /** It is awake, and has it. */
        public static void has(Lease lease) {
            ((Held) lease).confirm();
        }

        public void interrupt() {
            asked.withdraw();
            asked.result().thenAccept(held -> {
                if (held != null) {
                    held.cancel();
                }
            });
        }
    }
}
