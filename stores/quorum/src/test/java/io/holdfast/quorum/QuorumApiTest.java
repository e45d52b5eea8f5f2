package io.holdfast.quorum;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a quorum of five, of which one is slow")
@Tag("full")
class QuorumApiTest extends ApiMatrix implements QuorumBinding {}
