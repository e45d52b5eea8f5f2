package io.holdfast.quorum;

import io.holdfast.tck.FairContract;
import io.holdfast.tck.LockContract;
import io.holdfast.tck.ReadWriteContract;
import io.holdfast.tck.SharedClaimContract;
import io.holdfast.tck.StoreBinding;
import io.holdfast.tck.StoreContract;
import io.holdfast.tck.TicketContract;
import io.holdfast.tck.TokenContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** {@link QuorumStoreTest} has two down as well. */
@DisplayName("A quorum of five, of which two are down:")
@Tag("full")
class LameQuorumTest {

    private static final StoreBinding BINDING = () -> "lame-quorum:lame";

    @Nested
    @DisplayName("A store")
    class Stores extends StoreContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }

    @Nested
    @DisplayName("Shared claims")
    class SharedClaims extends SharedClaimContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }

    @Nested
    @DisplayName("Places in a queue")
    class Places extends TicketContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }

    @Nested
    @DisplayName("A lock")
    class Locks extends LockContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }

    @Nested
    @DisplayName("A fair lock")
    class Fairs extends FairContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }

    @Nested
    @DisplayName("A read/write lock")
    class ReadWrites extends ReadWriteContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }

    @Nested
    @DisplayName("A token")
    class Tokens extends TokenContract {
        @Override
        protected StoreBinding store() {
            return BINDING;
        }
    }
}
