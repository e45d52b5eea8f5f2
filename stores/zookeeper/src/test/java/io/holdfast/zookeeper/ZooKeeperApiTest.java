package io.holdfast.zookeeper;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on a ZooKeeper server")
@Tag("full")
class ZooKeeperApiTest extends ApiMatrix implements ZooKeeperBinding {}
