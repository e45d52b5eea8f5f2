package io.holdfast.redis;

import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A Redis master that Sentinel watches")
class SentinelContractTest extends DeployedSuite {

    @Override
    Deployed start() {
        return new SentinelServers();
    }

    @Override
    String user() {
        return "sentinel";
    }

    @Override
    List<RedisServerProcess> logsInTo(Deployed servers) {
        SentinelServers all = (SentinelServers) servers;
        all.sentinels().forEach(AclUser.of("watch")::at);
        return all.nodes();
    }

    @Override
    public String uri() {
        return super.uri() + "&sentinel-user=holdfast-watch&sentinel-password=" + AclUser.PASSWORD;
    }

    @Override
    String scheme() {
        return "redis-sentinel";
    }
}
