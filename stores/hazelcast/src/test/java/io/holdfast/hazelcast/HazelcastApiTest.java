package io.holdfast.hazelcast;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a Hazelcast member")
@Tag("full")
class HazelcastApiTest extends ApiMatrix implements HazelcastBinding {}
