package io.holdfast.redis;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis Cluster, by itself")
class ClusterSpecificationTest extends StoreSpecification implements ClusterBinding {}
