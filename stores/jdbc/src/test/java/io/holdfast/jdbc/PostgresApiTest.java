package io.holdfast.jdbc;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on the JDBC store on PostgreSQL")
@Tag("full")
class PostgresApiTest extends ApiMatrix implements PostgresBinding {}
