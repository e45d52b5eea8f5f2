package io.holdfast.cas;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

class MemoryRegisterTest {

    @Nested
    @DisplayName("A register in memory with revisions")
    class WithRevisions extends RegisterContract {

        private final MemoryRegister register = new MemoryRegister(true);

        @Override
        protected Register open() {
            return register.another();
        }
    }

    @Nested
    @DisplayName("A register in memory that compares values")
    class WithoutRevisions extends RegisterContract {

        private final MemoryRegister register = new MemoryRegister(false);

        @Override
        protected Register open() {
            return register.another();
        }
    }
}
