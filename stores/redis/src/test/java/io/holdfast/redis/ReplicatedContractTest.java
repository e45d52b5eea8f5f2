package io.holdfast.redis;

import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis master with two replicas")
class ReplicatedContractTest extends DeployedSuite {

    @Override
    Deployed start() {
        return new ReplicatedServers(2);
    }

    @Override
    String user() {
        return "replica";
    }

    @Override
    String scheme() {
        return "redis-replica";
    }
}
