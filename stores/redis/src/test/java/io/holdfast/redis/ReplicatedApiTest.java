package io.holdfast.redis;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a Redis master with two replicas")
@Tag("full")
class ReplicatedApiTest extends ApiMatrix implements ReplicatedBinding {}
