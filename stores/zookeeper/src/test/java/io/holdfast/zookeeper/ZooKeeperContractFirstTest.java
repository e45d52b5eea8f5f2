package io.holdfast.zookeeper;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The ZooKeeper store, first half of the contract:")
class ZooKeeperContractFirstTest extends ZooKeeperSuite {

    @RegisterExtension
    static final ExecutionCondition HALF = half(true);
}
