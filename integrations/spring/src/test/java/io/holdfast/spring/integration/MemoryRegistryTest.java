package io.holdfast.spring.integration;

import java.util.UUID;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The lock registry on the in-memory store")
class MemoryRegistryTest extends StoreContract {

    private final String uri = "memory:" + UUID.randomUUID();

    @Override
    String uri() {
        return uri;
    }
}
