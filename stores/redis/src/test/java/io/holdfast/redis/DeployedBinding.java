package io.holdfast.redis;

import io.holdfast.spi.ResourceType;
import io.holdfast.tck.StoreBinding;
import java.time.Duration;
import java.util.List;

/** Servers as they run in production, which all suites share. */
interface DeployedBinding extends StoreBinding {

    Deployed servers();

    /** What URIs of this form begin with. */
    String scheme();

    /** The user of docs/redis.acl for it. */
    String user();

    @Override
    default String uri() {
        return AclUser.of(user()).in(servers().uri());
    }

    /** Replicas have to acknowledge first. */
    @Override
    default Duration briefLease() {
        return Duration.ofMillis(100);
    }

    @Override
    default void forget(String name) {
        String key = Keys.of(ResourceType.LOCK, name).holders();
        servers().on(servers().masterOf(key), redis -> redis.del(key));
    }

    @Override
    default List<String> oddNames() {
        return List.of(
                Keys.of(ResourceType.LOCK, "a{}b").record(),
                Keys.of(ResourceType.LOCK, "a{}b").channelInSlot(),
                Keys.of(ResourceType.LOCK, "holdfast:a").holders(),
                "holdfast:a",
                "a{b",
                "{a}b}",
                "{}{a}");
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                scheme() + "://user:" + PASSWORD + "@",
                scheme() + "://user:" + PASSWORD + "@host:port,host",
                scheme() + "://user:" + PASSWORD + "@h1,h2/x",
                scheme() + "://user:" + PASSWORD + "@h1,h2?what=this",
                scheme() + "://user:" + PASSWORD + "@h1,,h2");
    }

    @Override
    default List<String> secretUris() {
        String master = scheme().contains("sentinel") ? "?master=m" : "";
        return List.of(scheme() + "://user:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2" + master);
    }
}
