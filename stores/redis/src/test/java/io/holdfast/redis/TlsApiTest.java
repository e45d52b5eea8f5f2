package io.holdfast.redis;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a Redis server that is reached over TLS only, with a certificate and the fewest rights")
@Tag("full")
class TlsApiTest extends ApiMatrix implements TlsBinding {}
