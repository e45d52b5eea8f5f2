package io.holdfast.redis;

/** A master that Sentinel watches. */
interface SentinelBinding extends DeployedBinding {

    @Override
    default Deployed servers() {
        return SharedServers.sentinel();
    }

    @Override
    default String scheme() {
        return "redis-sentinel";
    }

    @Override
    default String user() {
        return "sentinel";
    }

    @Override
    default String uri() {
        return DeployedBinding.super.uri() + "&sentinel-user=holdfast-watch&sentinel-password=" + AclUser.PASSWORD;
    }
}
