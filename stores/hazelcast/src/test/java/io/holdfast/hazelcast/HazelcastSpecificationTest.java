package io.holdfast.hazelcast;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The Hazelcast store, by itself")
class HazelcastSpecificationTest extends StoreSpecification implements HazelcastBinding {}
