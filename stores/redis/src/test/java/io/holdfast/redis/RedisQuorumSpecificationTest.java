package io.holdfast.redis;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A quorum of three Redis servers, by itself")
class RedisQuorumSpecificationTest extends StoreSpecification implements RedisQuorumBinding {}
