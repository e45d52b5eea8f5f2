package io.holdfast.redis;

import io.holdfast.spi.Kind;
import io.holdfast.tck.StoreSuite;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A Redis server that is reached over TLS only, by those with a certificate and the fewest rights")
class TlsContractTest extends StoreSuite {

    private static RedisServerProcess server;
    private static String uri;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        Certificates certificates = new Certificates(folder);
        Path client = certificates.issue("client");
        certificates.issue("server", "-ext", "SAN=ip:127.0.0.1");
        int port = RedisServerProcess.freePort();
        server = RedisServerProcess.start(certificates.serverOptions("server", port));
        AclUser user = AclUser.of("single");
        user.at(server);
        uri = user.in("rediss://127.0.0.1:" + port) + TlsTest.parameters(certificates, client);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public void forget(String name) {
        PlainRedis.on(server, redis -> redis.del(Keys.of(Kind.LOCK, name).holders()));
    }
}
