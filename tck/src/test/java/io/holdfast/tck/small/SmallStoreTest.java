package io.holdfast.tck.small;

import io.holdfast.tck.StoreIntegration;
import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** What every store has to do is enough for plain, read/write and multi-locks; the rest is refused, and says so. */
@DisplayName("A store that does only what every store has to do")
class SmallStoreTest {

    @Nested
    @DisplayName("by itself")
    class Specification extends StoreSpecification {
        @Override
        public String uri() {
            return "small:specification";
        }
    }

    @Nested
    @DisplayName("with the engine")
    class Integration extends StoreIntegration {
        @Override
        public String uri() {
            return "small:integration";
        }
    }
}
