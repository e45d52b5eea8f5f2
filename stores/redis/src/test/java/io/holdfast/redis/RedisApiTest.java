package io.holdfast.redis;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;

@Order(11)
@DisplayName("The API, on one Redis server")
class RedisApiTest extends ApiMatrix implements RedisBinding {}
