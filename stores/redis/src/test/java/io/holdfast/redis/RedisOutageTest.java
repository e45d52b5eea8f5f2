package io.holdfast.redis;

import io.holdfast.tck.OutageContract;
import io.holdfast.tck.StoreBinding;
import io.lettuce.core.KillArgs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;

@Order(2)
@DisplayName("A Redis server that goes away")
class RedisOutageTest extends OutageContract {

    private static RedisServerProcess server;

    @BeforeAll
    static void makeServer() {
        server = RedisServerProcess.start();
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @Override
    protected StoreBinding store() {
        return server::uri;
    }

    @Override
    protected void stopServer() {
        server.kill();
    }

    @Override
    protected void startServer() {
        server.startAgain();
    }

    @Override
    protected void pauseServer() {
        server.pause();
    }

    @Override
    protected void resumeServer() {
        server.resume();
    }

    @Override
    protected void dropConnections() {
        PlainRedis.on(server, redis -> {
            redis.clientKill(KillArgs.Builder.typeNormal().skipme(true));
            redis.clientKill(KillArgs.Builder.typePubsub().skipme(true));
        });
    }
}
