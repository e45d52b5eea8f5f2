package io.holdfast.cas;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The kernel on a register that compares values")
class ValuesIntegrationTest extends StoreIntegration implements ValuesBinding {}
