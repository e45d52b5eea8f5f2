package io.holdfast.tck;

import org.junit.jupiter.api.Nested;

/** The whole contract, for one store: extend it, say where the store is, and that is all. */
public abstract class StoreSuite implements StoreBinding {

    @Nested
    class Stores extends StoreContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Watches extends WatchContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Names extends NameContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class BadInputs extends BadInputContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Locks extends LockContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Queues extends QueueContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Interrupts extends InterruptContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Leases extends LeaseContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Handles extends HandleContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Asyncs extends AsyncContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Tokens extends TokenContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Losses extends LossContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Faults extends FaultContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Inspections extends InspectionContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Leaks extends LeakContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Closes extends CloseContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }

    @Nested
    class Processes extends ProcessContract {
        @Override
        protected StoreBinding store() {
            return StoreSuite.this;
        }
    }
}
