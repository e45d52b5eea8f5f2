package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Every method of the API, for every kind of lock, in every way that a call can end: a grant, a time-out, an interrupt, a
 * cancelled future, a closed client, bad input. That is the engine's work and not the store's, so one store shows it.
 */
@Tag("api")
public abstract class ApiMatrix implements StoreBinding {

    @Nested
    @DisplayName("The methods of a lock")
    class LockMethods extends LockMethodContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("Every kind of lock")
    class Kinds extends KindContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("The threads of one client")
    class Queues extends QueueContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("An interrupt")
    class Interrupts extends InterruptContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("An asynchronous lock")
    class Asyncs extends AsyncContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("A handle")
    class Handles extends HandleContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("The terms of a lease")
    class LeaseTerms extends LeaseTermContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("A loss")
    class LossMethods extends LossMethodContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("A lock that is not re-entrant")
    class NonReentrants extends NonReentrantContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("An asynchronous look")
    class AsyncLooks extends AsyncLookContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("A multi-lock")
    class MultiLocks extends MultiLockContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("The methods of a semaphore")
    class SemaphoreMethods extends SemaphoreMethodContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("The methods of a latch")
    class LatchMethods extends LatchMethodContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("A listener")
    class Listeners extends ListenerContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("Closing a client")
    class Closes extends CloseContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("Bad input")
    class BadInputs extends BadInputContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }

    @Nested
    @DisplayName("Nothing is left behind")
    class Leaks extends LeakContract {
        @Override
        protected StoreBinding store() {
            return ApiMatrix.this;
        }
    }
}
