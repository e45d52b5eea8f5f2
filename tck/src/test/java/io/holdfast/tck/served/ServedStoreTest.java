package io.holdfast.tck.served;

import io.holdfast.spi.LockStore;
import io.holdfast.tck.ElectionProcessContract;
import io.holdfast.tck.FamilyProcessContract;
import io.holdfast.tck.ProcessContract;
import io.holdfast.tck.StoreBinding;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The contracts between processes, on the in-memory store of this one. */
@DisplayName("The in-memory store that other processes see")
class ServedStoreTest {

    private static StoreServer server;

    @BeforeAll
    static void startServer() throws IOException {
        server = new StoreServer(ServedStoreTest::memory);
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    private static LockStore memory() {
        StoreBinding memory = () -> "memory:served";
        return memory.newStore();
    }

    @Nested
    @DisplayName("Between processes")
    class Processes extends ProcessContract {
        @Override
        protected StoreBinding store() {
            return server::uri;
        }
    }

    @Nested
    @DisplayName("Between processes")
    class FamilyProcesses extends FamilyProcessContract {
        @Override
        protected StoreBinding store() {
            return server::uri;
        }
    }

    @Nested
    @DisplayName("Between processes, an election:")
    class ElectionProcesses extends ElectionProcessContract {
        @Override
        protected StoreBinding store() {
            return server::uri;
        }
    }
}
