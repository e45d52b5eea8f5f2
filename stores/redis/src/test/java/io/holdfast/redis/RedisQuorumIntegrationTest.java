package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

@Order(6)
@DisplayName("A quorum of three Redis servers")
@Tag("short")
class RedisQuorumIntegrationTest extends StoreIntegration implements RedisQuorumBinding {}
