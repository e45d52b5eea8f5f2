package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;

@DisplayName("The in-memory store, by itself")
class MemorySpecificationTest extends StoreSpecification implements MemoryBinding {}
