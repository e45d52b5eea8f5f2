package io.holdfast.etcd;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The etcd store")
class EtcdIntegrationTest extends StoreIntegration implements EtcdBinding {}
