package io.holdfast.redis;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis server that is reached over TLS only, with a certificate and the fewest rights, by itself")
class TlsSpecificationTest extends StoreSpecification implements TlsBinding {}
