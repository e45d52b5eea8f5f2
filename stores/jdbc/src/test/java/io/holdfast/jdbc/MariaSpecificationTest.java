package io.holdfast.jdbc;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on MariaDB, by itself")
class MariaSpecificationTest extends StoreSpecification implements MariaBinding {}
