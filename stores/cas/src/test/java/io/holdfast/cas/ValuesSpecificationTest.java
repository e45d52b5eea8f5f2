package io.holdfast.cas;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The kernel on a register that compares values, by itself")
class ValuesSpecificationTest extends StoreSpecification implements ValuesBinding {}
