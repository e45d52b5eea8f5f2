package io.holdfast.etcd;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The etcd store, by itself")
class EtcdSpecificationTest extends StoreSpecification implements EtcdBinding {}
