package io.holdfast.redis;

import io.holdfast.tck.StoreSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The whole contract, which takes minutes: {@code -Dholdfast.long=true}. {@link RedisQuorumTest} has the heart of it. */
@DisplayName("A quorum of three Redis servers")
@EnabledIfSystemProperty(named = "holdfast.long", matches = "true")
class RedisQuorumContractTest extends StoreSuite implements RedisQuorumBinding {

    private static RedisServers servers;

    @BeforeAll
    static void startServers() {
        servers = RedisServers.start(3);
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @Override
    public RedisServers servers() {
        return servers;
    }
}
