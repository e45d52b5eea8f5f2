package io.holdfast.redis;

import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis Cluster")
class ClusterContractTest extends DeployedSuite {

    @Override
    Deployed start() {
        return new ClusterOfServers();
    }

    @Override
    String user() {
        return "cluster";
    }

    @Override
    String scheme() {
        return "redis-cluster";
    }
}
