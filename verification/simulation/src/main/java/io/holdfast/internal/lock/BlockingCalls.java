package io.holdfast.internal.lock;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.internal.Limits;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.store.RetryingCommand;
import io.holdfast.internal.time.LeaseTerms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What blocking callers do, up to where they would park: the simulation has no thread to block. */
public final class BlockingCalls {

    private BlockingCalls() {}

    /** {@link Lease#extend} up to where it would park. */
    public static CompletableFuture<Void> extend(Lease lease, Duration by) {
        return ((HeldLease) lease).extendAsync(Limits.lease(by));
    }

    /**
     * A blocking, interruptible acquisition up to where it would park.
     *
     * @param leased its lease time, or {@code null} for the watchdog's
     */
    public static Parked park(DistributedLock lock, @Nullable Duration leased, @Nullable Long ownerId, long waitNanos) {
        LockFace face = (LockFace) lock;
        LockOwner owner =
                ownerId == null ? LockOwner.ofHandle() : new LockOwner(LockOwner.Type.THREAD, ownerId, "thread");
        LeaseTerms terms = leased == null ? face.watchdog() : LeaseTerms.leased(Limits.lease(leased));
        return new Parked(face.ask(terms, owner, waitNanos, false));
    }

    /** The same, of permits. */
    public static Parked parkPermits(
            Engine engine, String name, boolean fair, int permits, int capacity, LeaseTerms terms, long waitNanos) {
        LockRequest request = LockRequest.permits(fair, permits, capacity);
        return new Parked(engine.ask(name, request, terms, LockOwner.ofHandle(), waitNanos));
    }

    /** What a thread does with permits once it has them, if they are to be the client's. */
    public static void keepPermits(Engine engine, Lease permits) {
        engine.permits().keep((Hold) permits);
    }

    /** {@link io.holdfast.DistributedSemaphore#addPermits} up to where it would park. */
    public static CompletableFuture<Integer> addPermits(Engine engine, String name, int by, int capacity) {
        String id = engine.newId();
        return engine.callInTime(
                Command.ADD_PERMITS,
                name,
                name,
                () -> engine.capabilities().semaphores(name).addPermits(name, id, by, capacity));
    }

    /** {@link io.holdfast.DistributedLatch#trySetCount} up to where it would park. */
    public static CompletableFuture<Boolean> setLatch(Engine engine, String name, long count) {
        String id = engine.newId();
        return engine.latches()
                .send(name, store -> store.set(name, id, count))
                .answer()
                .thenApply(latch -> latch.id().equals(id));
    }

    /** {@link io.holdfast.DistributedLatch#delete} up to where it would park. */
    public static CompletableFuture<Boolean> deleteLatch(Engine engine, String name) {
        return engine.latches().send(name, store -> store.look(name)).answer().thenCompose(latch -> {
            if (!latch.exists()) {
                return CompletableFuture.completedFuture(false);
            }
            RetryingCommand<Boolean> deletion = engine.latches().send(name, store -> store.delete(name, latch.id()));
            return deletion.answer().thenApply(deleted -> deleted || deletion.wasRepeated());
        });
    }

    /** A thread that waits. */
    public static final class Parked {

        public static final long FOREVER = Waiter.FOREVER;

        private final PendingRequest asked;

        Parked(PendingRequest asked) {
            this.asked = asked;
        }

        public CompletableFuture<? extends @Nullable Lease> result() {
            return asked.result();
        }

        /** From now on it sleeps. When it is called, it is to do what is handed to {@code called} once it is awake. */
        public void sleep(Consumer<Runnable> called) {
            if (asked instanceof Waiter waiter) {
                waiter.result.sleep(() -> called.accept(waiter::wokeUp));
            }
        }

        /** It is awake, and has it. */
        public static void has(Lease lease) {
            ((HeldLease) lease).confirm();
        }

        public void interrupt() {
            asked.withdraw(LockEvent.NotGranted.Cause.INTERRUPTED);
            asked.result().thenAccept(held -> {
                if (held != null) {
                    held.cancel();
                }
            });
        }
    }
}
