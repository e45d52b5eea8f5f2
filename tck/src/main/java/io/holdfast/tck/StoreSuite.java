package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The whole contract, for one store: extend it, say where the store is, and that is all. The first six groups ask the store
 * itself and have the tag {@code store}; the others go through the engine.
 */
public abstract class StoreSuite implements StoreBinding {

    @Nested
    @DisplayName("A store")
    class Stores extends StoreContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Shared claims")
    class SharedClaims extends SharedClaimContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Places in a queue")
    class Places extends PlaceContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Permits")
    class Permits extends PermitContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A stored latch")
    class StoredLatches extends LatchStoreContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A watch")
    class Watches extends WatchContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Threads")
    class Threads extends ThreadContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A refusal")
    class Refusals extends RefusalContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A lock that lingers")
    class Lingering extends LingerContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A name")
    class Names extends NameContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Bad input")
    class BadInputs extends BadInputContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A lock")
    class Locks extends LockContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("The threads of one client")
    class Queues extends QueueContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("An interrupt")
    class Interrupts extends InterruptContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A lease")
    class Leases extends LeaseContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A handle")
    class Handles extends HandleContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("An asynchronous lock")
    class Asyncs extends AsyncContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Every kind of lock")
    class Kinds extends KindContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A fair lock")
    class Fairs extends FairContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A read/write lock")
    class ReadWrites extends ReadWriteContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A multi-lock")
    class MultiLocks extends MultiLockContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A semaphore")
    class Semaphores extends SemaphoreContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A latch")
    class Latches extends LatchContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A token")
    class Tokens extends TokenContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("A lost lock")
    class Losses extends LossContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("When the store does not answer well,")
    class Faults extends FaultContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Whoever looks")
    class Inspections extends InspectionContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Nothing is left behind")
    class Leaks extends LeakContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Closing a client")
    class Closes extends CloseContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Between processes")
    class Processes extends ProcessContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    @DisplayName("Between processes, the whole family:")
    class FamilyProcesses extends FamilyProcessContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }
}
