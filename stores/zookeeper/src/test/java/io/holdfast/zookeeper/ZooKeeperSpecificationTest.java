package io.holdfast.zookeeper;

import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A ZooKeeper server, by itself")
class ZooKeeperSpecificationTest extends StoreSpecification implements ZooKeeperBinding {}
