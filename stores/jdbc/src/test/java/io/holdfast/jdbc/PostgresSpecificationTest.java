package io.holdfast.jdbc;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on PostgreSQL, by itself")
class PostgresSpecificationTest extends StoreSpecification implements PostgresBinding {}
