package io.holdfast.jdbc;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on an H2 file that processes share")
class H2IntegrationTest extends StoreIntegration implements H2Binding {}
