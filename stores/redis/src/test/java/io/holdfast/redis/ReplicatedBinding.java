package io.holdfast.redis;

/** A master with two replicas. */
interface ReplicatedBinding extends DeployedBinding {

    @Override
    default Deployed servers() {
        return SharedServers.replicated();
    }

    @Override
    default String scheme() {
        return "redis-replica";
    }

    @Override
    default String user() {
        return "replica";
    }
}
