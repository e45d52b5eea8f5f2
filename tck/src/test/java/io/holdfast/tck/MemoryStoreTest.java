package io.holdfast.tck;

import java.util.UUID;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The in-memory store")
class MemoryStoreTest extends StoreSuite {

    private static final String URI = "memory:" + UUID.randomUUID();

    @Override
    public String uri() {
        return URI;
    }
}
