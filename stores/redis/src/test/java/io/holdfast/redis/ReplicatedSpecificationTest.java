package io.holdfast.redis;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis master with two replicas, by itself")
class ReplicatedSpecificationTest extends StoreSpecification implements ReplicatedBinding {}
