package io.holdfast.jdbc;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on an H2 file that processes share, by itself")
class H2SpecificationTest extends StoreSpecification implements H2Binding {}
