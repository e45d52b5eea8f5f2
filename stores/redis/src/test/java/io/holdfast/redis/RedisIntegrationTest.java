package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("One Redis server")
class RedisIntegrationTest extends StoreIntegration implements RedisBinding {}
