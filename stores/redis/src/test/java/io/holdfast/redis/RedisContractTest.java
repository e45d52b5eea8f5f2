package io.holdfast.redis;

import io.holdfast.spi.Kind;
import io.holdfast.tck.StoreSuite;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The Redis store")
class RedisContractTest extends StoreSuite {

    private static RedisServerProcess server;

    @BeforeAll
    static void startServer() {
        server = RedisServerProcess.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    public String uri() {
        return server.uri();
    }

    @Override
    public void forget(String name) {
        PlainRedis.on(server, redis -> redis.del(Keys.of(Kind.LOCK, name).holders()));
    }

    @Override
    public List<String> oddNames() {
        return List.of(
                Keys.of(Kind.LOCK, "a").record(),
                Keys.of(Kind.LOCK, "{a}").record(),
                Keys.of(Kind.LOCK, "a{}b").record(),
                Keys.of(Kind.LOCK, "a").channel(),
                Keys.of(Kind.LOCK, "holdfast:a").holders(),
                Keys.of(Kind.LOCK, "holdfast:a").record(),
                "holdfast:a",
                "holdfast:",
                "holdfast:hash:{a}",
                "holdfast:lock:{a}",
                "redisson_lock__channel:{a}",
                "redisson_lock__channel:a");
    }

    @Override
    public List<String> wrongUris() {
        return List.of(
                "redis:",
                "redis://",
                "redis:host",
                "redis://:" + PASSWORD + "@",
                "redis://user:" + PASSWORD + "@host:port",
                "redis://user:" + PASSWORD + "@host:99999",
                "redis://user:" + PASSWORD + "@ho st",
                "redis://user:" + PASSWORD + "@host/x",
                "redis://user:" + PASSWORD + "@host?what=this",
                "rediss://user:" + PASSWORD + "%@host");
    }

    @Override
    public List<String> secretUris() {
        return List.of("redis://user:" + PASSWORD + "@127.0.0.1:1", "rediss://:" + PASSWORD + "@127.0.0.1:1/3");
    }
}
