package io.holdfast.zookeeper;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A ZooKeeper server")
class ZooKeeperIntegrationTest extends StoreIntegration implements ZooKeeperBinding {}
