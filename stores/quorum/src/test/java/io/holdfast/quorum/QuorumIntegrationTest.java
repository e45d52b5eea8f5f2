package io.holdfast.quorum;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("A quorum of five, of which one is slow")
@Tag("short")
class QuorumIntegrationTest extends StoreIntegration implements QuorumBinding {}
