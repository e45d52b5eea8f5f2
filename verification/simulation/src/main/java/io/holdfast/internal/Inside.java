package io.holdfast.internal;

import io.holdfast.Lease;
import io.holdfast.spi.Mode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The simulation's window into the engine: it looks without touching. Asking a lease whether it is valid makes its end
 * final, so an onlooker who asked all the time would hide the mistake of not asking.
 */
public final class Inside {

    private static final VarHandle QUEUES;
    private static final VarHandle ASKING;
    private static final VarHandle DEADLINE;
    private static final VarHandle STATE;

    static {
        try {
            QUEUES = in(Engine.class).findVarHandle(Engine.class, "queues", Map.class);
            ASKING = in(LockQueue.class).findVarHandle(LockQueue.class, "asking", Asking.class);
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

    private static @Nullable LockQueue queue(Engine engine, String name) {
        return (LockQueue) ((Map<?, ?>) QUEUES.get(engine)).get(name);
    }

    /** Whether anybody in this client wants or has the lock, as far as the engine knows. */
    public static boolean isInUse(Engine engine, String name) {
        return queue(engine, name) != null;
    }

    /** Who holds the lock in this client, as its queue has it. */
    public static @Nullable Lease hold(Engine engine, String name) {
        LockQueue queue = queue(engine, name);
        return queue == null ? null : queue.hold();
    }

    public static @Nullable Lease holdOf(Engine engine, String name, long ownerId) {
        return engine.holdOf(name, Mode.EXCLUSIVE, ownerId);
    }

    /** The claim with which this client asks for the lock or holds it. */
    public static @Nullable String claimOf(Engine engine, String name) {
        LockQueue queue = queue(engine, name);
        if (queue == null) {
            return null;
        }
        Asking asking = (Asking) ASKING.get(queue);
        Hold hold = queue.hold();
        return asking != null ? asking.claim().claim.id() : hold != null ? claimId(hold) : null;
    }

    // ---- one hold ---------------------------------------------------------------------------------------------

    /** What {@link Lease#isValid()} would say, without its making the end final. */
    public static boolean believes(Lease lease, long now) {
        Hold hold = (Hold) lease;
        long deadline = (long) DEADLINE.get(hold.remote);
        return deadline != Long.MIN_VALUE
                && deadline - now > 0
                && ((Enum<?>) STATE.get(hold)).name().equals("LIVE");
    }

    public static boolean isReleased(Lease lease) {
        return ((Hold) lease).isReleased();
    }

    public static int count(Lease lease) {
        return ((Hold) lease).count();
    }

    public static String claimId(Lease lease) {
        return ((Hold) lease).remote.claim.id();
    }

    /** The lease that the watchdog keeps renewing, or {@code null} if the lock was taken with a lease of its own. */
    public static @Nullable Duration watchdogLease(Lease lease) {
        Terms terms = ((Hold) lease).remote.terms;
        return terms.watchdog() ? terms.lease() : null;
    }

    /** The thread or the id that owns the lock, or {@code null} if a handle does. */
    public static @Nullable Long owner(Lease lease) {
        LockOwner owner = ((Hold) lease).owner;
        return owner.isHandle() ? null : owner.id();
    }

    // ---- what blocking callers do, without a thread to block ----------------------------------------------------

    /** {@link Lease#extend} up to where it would park. */
    public static CompletableFuture<Void> extend(Lease lease, Duration by) {
        Hold hold = (Hold) lease;
        return hold.extendAsync(Limits.lease(by));
    }

    /** A blocking, interruptible acquisition up to where it would park. */
    public static Parked park(Engine engine, String name, Terms terms, @Nullable Long ownerId, long waitNanos) {
        LockOwner owner =
                ownerId == null ? LockOwner.ofHandle() : new LockOwner(LockOwner.Kind.THREAD, ownerId, "thread");
        return new Parked(engine, engine.ask(name, Demand.PLAIN, terms, owner, waitNanos));
    }

    /** A thread that waits. */
    public static final class Parked {

        public static final long FOREVER = Waiter.FOREVER;

        private final Engine engine;
        private final Waiter waiter;

        Parked(Engine engine, Waiter waiter) {
            this.engine = engine;
            this.waiter = waiter;
        }

        public CompletableFuture<? extends @Nullable Lease> result() {
            return waiter.result;
        }

        public void interrupt() {
            engine.withdraw(waiter);
            waiter.result.thenAccept(hold -> {
                if (hold != null) {
                    engine.undo(hold);
                }
            });
        }
    }
}
