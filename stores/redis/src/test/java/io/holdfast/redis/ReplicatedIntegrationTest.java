package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

@Order(9)
@DisplayName("A Redis master with two replicas")
@Tag("short")
class ReplicatedIntegrationTest extends StoreIntegration implements ReplicatedBinding {}
