package io.holdfast.jdbc;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on the JDBC store on an H2 file that processes share")
@Tag("full")
class H2ApiTest extends ApiMatrix implements H2Binding {}
