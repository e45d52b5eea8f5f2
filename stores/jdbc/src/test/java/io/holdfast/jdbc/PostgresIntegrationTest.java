package io.holdfast.jdbc;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on PostgreSQL")
class PostgresIntegrationTest extends StoreIntegration implements PostgresBinding {}
