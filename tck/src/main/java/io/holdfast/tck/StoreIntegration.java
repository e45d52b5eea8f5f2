package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The engine on one store: what a store can break for its users, over several clients and several processes. What is
 * {@link Essential} of it is enough for a store that differs from another only in how its servers are deployed.
 *
 * <p>{@link OutageContract} goes with it, for a store with a server that can be stopped.
 */
@Tag("integration")
public abstract class StoreIntegration implements StoreBinding {

    @Nested
    @DisplayName("A lock")
    class Locks extends LockContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Passing a lock from client to client")
    class HandOvers extends HandOverCostContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Waiters that have died")
    class DeadWaiters extends DeadWaiterContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A lease")
    class Leases extends LeaseContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A lost lock")
    class Losses extends LossContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A token")
    class Tokens extends TokenContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A fair lock")
    class Fairs extends FairContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A read/write lock")
    class ReadWrites extends ReadWriteContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("In a contest")
    class Contests extends ContestContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A semaphore")
    class Semaphores extends SemaphoreContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A latch")
    class Latches extends LatchContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A lock that lingers")
    class Lingering extends LingerContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A name")
    class Names extends NameContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("An address")
    class Addresses extends AddressContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Whoever looks")
    class Inspections extends InspectionContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("A refusal")
    class Refusals extends RefusalContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Threads")
    class Threads extends ThreadContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("When the store does not answer well,")
    class Faults extends FaultContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Between processes")
    class Processes extends ProcessContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Between processes, the whole family:")
    class FamilyProcesses extends FamilyProcessContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("An election")
    class Elections extends ElectionContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }

    @Nested
    @DisplayName("Between processes, an election:")
    class ElectionProcesses extends ElectionProcessContract {
        @Override
        protected StoreBinding store() {
            return StoreIntegration.this;
        }
    }
}
