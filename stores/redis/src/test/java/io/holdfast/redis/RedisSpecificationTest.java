package io.holdfast.redis;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("One Redis server, by itself")
class RedisSpecificationTest extends StoreSpecification implements RedisBinding {}
