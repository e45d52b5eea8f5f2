package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * What a store promises to the engine, asked of the store itself: claims, places in a queue, permits, latches and watches.
 * There is no engine in it, so what fails here is the store's own fault. Begin with this one.
 */
@Tag("specification")
public abstract class StoreSpecification implements StoreBinding {

    @Nested
    @DisplayName("A store")
    class Stores extends StoreContract {
        @Override
        protected StoreBinding store() {
            return StoreSpecification.this;
        }
    }

    @Nested
    @DisplayName("Shared claims")
    class SharedClaims extends SharedClaimContract {
        @Override
        protected StoreBinding store() {
            return StoreSpecification.this;
        }
    }

    @Nested
    @DisplayName("Tickets in a queue")
    class Tickets extends TicketContract {
        @Override
        protected StoreBinding store() {
            return StoreSpecification.this;
        }
    }

    @Nested
    @DisplayName("Permits")
    class Permits extends PermitContract {
        @Override
        protected StoreBinding store() {
            return StoreSpecification.this;
        }
    }

    @Nested
    @DisplayName("A stored latch")
    class StoredLatches extends LatchStoreContract {
        @Override
        protected StoreBinding store() {
            return StoreSpecification.this;
        }
    }

    @Nested
    @DisplayName("A watch")
    class Watches extends WatchContract {
        @Override
        protected StoreBinding store() {
            return StoreSpecification.this;
        }
    }
}
