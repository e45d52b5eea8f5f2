package io.holdfast.redis;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis master that Sentinel watches, by itself")
class SentinelSpecificationTest extends StoreSpecification implements SentinelBinding {}
