package io.holdfast.etcd;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on the etcd store")
@Tag("full")
class EtcdApiTest extends ApiMatrix implements EtcdBinding {}
