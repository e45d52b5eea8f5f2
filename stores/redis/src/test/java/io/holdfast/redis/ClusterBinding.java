package io.holdfast.redis;

/** A cluster. */
interface ClusterBinding extends DeployedBinding {

    @Override
    default Deployed servers() {
        return SharedServers.cluster();
    }

    @Override
    default String scheme() {
        return "redis-cluster";
    }

    @Override
    default String user() {
        return "cluster";
    }
}
