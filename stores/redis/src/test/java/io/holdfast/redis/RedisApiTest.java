package io.holdfast.redis;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The API, on one Redis server")
class RedisApiTest extends ApiMatrix implements RedisBinding {}
