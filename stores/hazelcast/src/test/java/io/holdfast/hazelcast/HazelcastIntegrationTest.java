package io.holdfast.hazelcast;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("A Hazelcast member")
@Tag("short")
class HazelcastIntegrationTest extends StoreIntegration implements HazelcastBinding {}
