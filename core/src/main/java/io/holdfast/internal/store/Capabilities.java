package io.holdfast.internal.store;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import org.jspecify.annotations.Nullable;

/** What the store of one client can do beyond the mandatory part, and what a caller is told where it can't. */
public final class Capabilities {

    private final LockStore store;
    private final @Nullable QueueingStore queueing;
    private final @Nullable SemaphoreStore semaphores;
    private final @Nullable LatchStore latches;

    public Capabilities(LockStore store) {
        this.store = store;
        this.queueing = store.capability(QueueingStore.class);
        this.semaphores = store.capability(SemaphoreStore.class);
        this.latches = store.capability(LatchStore.class);
    }

    /** The store as one that has queues; {@code null} if it has none. */
    public @Nullable QueueingStore queueing() {
        return queueing;
    }

    /** True if a claim that has to wait can take a ticket, and a claim that is kept can be asked for. */
    public boolean canQueue() {
        return queueing != null;
    }

    /** Why the store can't serve such a request at all; {@code null} if it can. */
    public @Nullable StoreRefusedException refusal(Mode mode, boolean fair, String name) {
        if (mode == Mode.PERMITS && semaphores == null) {
            return refused(ResourceType.SEMAPHORE, name, "keeps no semaphores; use another store for them");
        }
        return fair && queueing == null
                ? refused(
                        mode.type(),
                        name,
                        "has no queue, so nothing can be fair; leave out fair(), or use another store")
                : null;
    }

    /**
     * The store as one that keeps semaphores.
     *
     * @throws StoreRefusedException if it keeps none
     */
    public SemaphoreStore semaphores(String name) {
        if (semaphores == null) {
            throw refused(ResourceType.SEMAPHORE, name, "keeps no semaphores; use another store for them");
        }
        return semaphores;
    }

    /**
     * The latches of the store.
     *
     * @throws StoreRefusedException if it keeps none
     */
    public LatchStore latches(String name) {
        if (latches == null) {
            throw refused(ResourceType.LATCH, name, "keeps no latches; use another store for them");
        }
        return latches;
    }

    private StoreRefusedException refused(ResourceType type, String name, String why) {
        return new StoreRefusedException(Messages.label(type, name) + ": " + store.description() + " " + why, false);
    }
}
