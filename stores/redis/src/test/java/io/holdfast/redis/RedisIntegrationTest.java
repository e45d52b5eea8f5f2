package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;

@Order(4)
@DisplayName("One Redis server")
class RedisIntegrationTest extends StoreIntegration implements RedisBinding {}
