package io.holdfast.jdbc;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The JDBC store on MariaDB")
@Tag("short")
class MariaIntegrationTest extends StoreIntegration implements MariaBinding {}
