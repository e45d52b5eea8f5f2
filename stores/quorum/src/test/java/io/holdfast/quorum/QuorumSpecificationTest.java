package io.holdfast.quorum;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A quorum of five, of which one is slow, by itself")
class QuorumSpecificationTest extends StoreSpecification implements QuorumBinding {}
