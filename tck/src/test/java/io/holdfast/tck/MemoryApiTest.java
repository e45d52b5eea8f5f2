package io.holdfast.tck;

import org.junit.jupiter.api.DisplayName;

@DisplayName("The API, on the in-memory store")
class MemoryApiTest extends ApiMatrix implements MemoryBinding {}
