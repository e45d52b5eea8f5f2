package io.holdfast.redis;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a quorum of three Redis servers")
@Tag("full")
class RedisQuorumApiTest extends ApiMatrix implements RedisQuorumBinding {}
