package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

@Order(5)
@DisplayName("A Redis Cluster")
@Tag("short")
class ClusterIntegrationTest extends StoreIntegration implements ClusterBinding {}
