package io.holdfast.redis;

import io.holdfast.spi.Kind;
import io.holdfast.tck.StoreSuite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The whole contract on servers as they run in production. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeployedSuite extends StoreSuite {

    private Deployed servers;

    abstract Deployed start();

    /** What URIs of this form begin with. */
    abstract String scheme();

    /** The user of docs/redis.acl for it. */
    abstract String user();

    /** Where it logs in. */
    List<RedisServerProcess> logsInTo(Deployed servers) {
        return servers.servers;
    }

    @BeforeAll
    void startServers() {
        servers = start();
        logsInTo(servers).forEach(AclUser.of(user())::at);
    }

    @AfterAll
    void stopServers() {
        servers.close();
    }

    @Override
    public String uri() {
        return AclUser.of(user()).in(servers.uri());
    }

    /** Replicas have to acknowledge first. */
    @Override
    public Duration briefLease() {
        return Duration.ofMillis(100);
    }

    @Override
    public void forget(String name) {
        String key = Keys.of(Kind.LOCK, name).holders();
        servers.on(servers.masterOf(key), redis -> redis.del(key));
    }

    @Override
    public List<String> oddNames() {
        return List.of(
                Keys.of(Kind.LOCK, "a{}b").record(),
                Keys.of(Kind.LOCK, "a{}b").channelInSlot(),
                Keys.of(Kind.LOCK, "holdfast:a").holders(),
                "holdfast:a",
                "a{b",
                "{a}b}",
                "{}{a}");
    }

    @Override
    public List<String> wrongUris() {
        return List.of(
                scheme() + "://user:" + PASSWORD + "@",
                scheme() + "://user:" + PASSWORD + "@host:port,host",
                scheme() + "://user:" + PASSWORD + "@h1,h2/x",
                scheme() + "://user:" + PASSWORD + "@h1,h2?what=this",
                scheme() + "://user:" + PASSWORD + "@h1,,h2");
    }

    @Override
    public List<String> secretUris() {
        String master = scheme().contains("sentinel") ? "?master=m" : "";
        return List.of(scheme() + "://user:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2" + master);
    }
}
