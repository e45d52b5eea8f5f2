package io.holdfast.redis;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a Redis Cluster")
@Tag("full")
class ClusterApiTest extends ApiMatrix implements ClusterBinding {}
