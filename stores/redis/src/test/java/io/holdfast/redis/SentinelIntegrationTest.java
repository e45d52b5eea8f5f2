package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

@Order(8)
@DisplayName("A Redis master that Sentinel watches")
@Tag("short")
class SentinelIntegrationTest extends StoreIntegration implements SentinelBinding {}
