package io.holdfast.redis;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

@Order(10)
@DisplayName("A Redis server that is reached over TLS only, with a certificate and the fewest rights")
@Tag("short")
class TlsIntegrationTest extends StoreIntegration implements TlsBinding {}
