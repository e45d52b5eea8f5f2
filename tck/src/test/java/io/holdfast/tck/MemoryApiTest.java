package io.holdfast.tck;

import io.holdfast.SimulatedMemory;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The API, on the in-memory store")
class MemoryApiTest extends ApiMatrix implements MemoryBinding {

    @Override
    public Optional<SimulatedTime> simulatedTime() {
        return Optional.of(new SimulatedMemory());
    }
}
