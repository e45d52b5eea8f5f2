package io.holdfast.redis;

import io.holdfast.tck.OutageContract;
import io.holdfast.tck.StoreBinding;
import io.lettuce.core.KillArgs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** {@link RedisQuorumOutageTest} is the short of it. */
@DisplayName("A quorum of three Redis servers that all go away")
@Tag("full")
class RedisQuorumMajorityTest extends OutageContract {

    private static RedisServers servers;

    @BeforeAll
    static void makeServers() {
        servers = RedisServers.start(3);
    }

    @AfterAll
    static void endServers() {
        servers.close();
    }

    @Override
    protected StoreBinding store() {
        return servers::uri;
    }

    @Override
    protected void stopServer() {
        servers.all().forEach(RedisServerProcess::kill);
    }

    @Override
    protected void startServer() {
        servers.all().forEach(RedisServerProcess::startAgain);
    }

    @Override
    protected void pauseServer() {
        servers.all().forEach(RedisServerProcess::pause);
    }

    @Override
    protected void resumeServer() {
        servers.all().forEach(RedisServerProcess::resume);
    }

    @Override
    protected void dropConnections() {
        servers.all()
                .forEach(server -> PlainRedis.on(server, redis -> {
                    redis.clientKill(KillArgs.Builder.typeNormal().skipme(true));
                    redis.clientKill(KillArgs.Builder.typePubsub().skipme(true));
                }));
    }
}
