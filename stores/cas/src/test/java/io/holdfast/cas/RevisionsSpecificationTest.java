package io.holdfast.cas;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The kernel on a register with revisions, by itself")
class RevisionsSpecificationTest extends StoreSpecification implements RevisionsBinding {}
