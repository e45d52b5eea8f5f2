package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;

@DisplayName("The in-memory store")
class MemoryIntegrationTest extends StoreIntegration implements MemoryBinding {}
