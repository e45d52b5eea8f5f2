package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.StoreConfig;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final StoreConfig CONFIG = new StoreConfig("test", TIMEOUT);

    @Test
    @DisplayName("a host is enough")
    void host() {
        Deployment parsed = RedisAddress.parse("redis://redis_1", CONFIG);
        RedisURI uri = parsed.serverAt(parsed.nodes().get(0));
        assertEquals("redis_1", uri.getHost());
        assertEquals(6379, uri.getPort());
        assertEquals(0, uri.getDatabase());
        assertEquals(TIMEOUT, uri.getTimeout());
        assertFalse(uri.isSsl());
        assertEquals("Redis at redis_1:6379/0", parsed.describe());
        assertEquals("test", uri.getClientName());
        assertTrue(parsed.barrier().isNone());
    }

    @Test
    @DisplayName("everything that a URI can say")
    void everything() {
        Deployment parsed = RedisAddress.parse("REDISS://us%40er:p%3Aa+s%25s@[::1]:7000/12?timeout=250ms", CONFIG);
        RedisURI uri = parsed.serverAt(parsed.nodes().get(0));
        assertTrue(uri.isSsl());
        assertTrue(uri.isVerifyPeer());
        assertEquals("::1", uri.getHost());
        assertEquals(7000, uri.getPort());
        assertEquals(12, uri.getDatabase());
        assertEquals(Duration.ofMillis(250), uri.getTimeout());
        RedisCredentials credentials = credentials(uri);
        assertEquals("us@er", credentials.getUsername());
        assertEquals("p:a+s%s", new String(credentials.getPassword()));
        assertEquals("Redis at [::1]:7000/12", parsed.describe());
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://:secret@h", "redis://secret@h"})
    @DisplayName("a password without a user is the default user's")
    void passwordOnly(String text) {
        RedisCredentials credentials =
                credentials(RedisAddress.parse(text, CONFIG).server());
        assertNull(credentials.getUsername());
        assertEquals("secret", new String(credentials.getPassword()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:secret@",
                "redis://user:secret@:6379",
                "redis://user:secret@h:0",
                "redis://user:secret@h:65536",
                "redis://user:secret@h:port",
                "redis://user:secret@h/zero",
                "redis://user:secret@h/-1",
                "redis://user:secret@h/0/1",
                "redis://user:secret@h?timeout=soon",
                "redis://user:secret@h?timeout=0s",
                "redis://user:secret@h?timeout=-1s",
                "redis://user:secret@h?database=1",
                "redis://user:secret@h#secret",
                "redis://user:secret@h1,h2",
                "redis://user:secret%zz@h",
                "redis://user:secret[@h",
                "redis://user:sec ret@h",
                "redis:user:secret@h",
                "redis-sentinel://user:secret@h",
                "redis-sentinel://user:secret@h?master=",
                "redis-sentinel://user:secret@h1,?master=m",
                "redis://user:secret@h?master=m",
                "redis://user:secret@h?replicas=all",
                "redis-replica://user:secret@h?replicas=0",
                "redis-replica://user:secret@h?replicas=some",
                "redis-replica://user:secret@h?replicas-timeout=0",
                "redis-cluster://user:secret@h1,h2/1",
                "redis-cluster://user:secret@h1,h2?sentinel-password=secret",
                "redis-cluster://user:secret@h1;h2",
                "redis-cluster://user:secret@[::1]:1,[::1:2",
                "redis-replica://user:secret@h,H:6379",
                "redis-sentinel://user:secret@h,h:026379?master=m",
                "redis-sentinel://user:secret@h?master=m&sentinel-user=secret",
                "redis://user:secret@h?sentinel-user=secret",
                "redis://user:secret@h?truststore-password=secret",
                "rediss://user:secret@h?keystore-password=secret",
                "redis://user:secret@h?timeout=2s&timeout=3s",
                "redis://user:secret@h?timeout=5",
                "redis://user:secret@h?truststore=/a&truststore-password=secret",
                "rediss://user:secret@h?truststore=/no/such/file&truststore-password=secret",
                "rediss://user:secret@h?keystore=/no/such/file&keystore-password=secret",
                "redis://user:secret@h?secret=1",
                "redis-quorum://user:secret@h",
                "http://user:secret@h",
                "//user:secret@h",
                "secret",
                "redis://user:@h",
                ""
            })
    @DisplayName("a wrong URI is rejected without a word of its password")
    void wrong(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> RedisStore.open(text, StoreTest.CONFIG));
        StringWriter all = new StringWriter();
        e.printStackTrace(new PrintWriter(all, true));
        assertFalse(all.toString().contains("secret"), all.toString());
        assertFalse(all.toString().contains("sec ret"), all.toString());
    }

    @Test
    @DisplayName("the provider serves the schemes of all forms")
    void provider() {
        RedisStoreProvider provider = new RedisStoreProvider();
        for (String scheme :
                List.of("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-replica")) {
            assertTrue(provider.serves(scheme), scheme);
        }
        assertFalse(provider.serves("redis-quorum"));
        assertFalse(provider.serves("http"));
    }

    @Test
    @DisplayName("sentinels, with the master's name, the replicas to wait for and a password of their own")
    void sentinel() {
        Deployment parsed = RedisAddress.parse(
                "redis-sentinel://user:secret@s1,s2:26380/3?master=my%20master&replicas=2&replicas-timeout=40ms"
                        + "&sentinel-user=watch&sentinel-password=hidden",
                CONFIG);
        assertEquals(Deployment.Form.SENTINEL, parsed.form());
        assertEquals(List.of(new Address("s1", 26379), new Address("s2", 26380)), parsed.nodes());
        assertEquals("my master", parsed.master());
        assertEquals(2, parsed.barrier().required(5));
        assertEquals(Duration.ofMillis(40), parsed.barrierTimeout());
        assertEquals(
                "secret",
                new String(credentials(parsed.serverAt(parsed.nodes().get(0))).getPassword()));
        RedisCredentials sentinels =
                credentials(parsed.sentinelAt(parsed.nodes().get(0)));
        assertEquals("watch", sentinels.getUsername());
        assertEquals("hidden", new String(sentinels.getPassword()));
        assertEquals("Redis \"my master\" by Sentinel at s1:26379,s2:26380/3", parsed.toString());
    }

    @Test
    @DisplayName("a cluster, and a master with its replicas, wait for all replicas unless told otherwise")
    void several() {
        Deployment cluster = RedisAddress.parse("redis-cluster://:secret@h1:7000,h2:7001", CONFIG);
        assertEquals(Deployment.Form.CLUSTER, cluster.form());
        assertEquals("Redis Cluster at h1:7000,h2:7001", cluster.toString());
        assertEquals(3, cluster.barrier().required(3));
        Deployment replicas = RedisAddress.parse("rediss-replica://h1,h2/1?replicas=none", CONFIG);
        assertEquals(Deployment.Form.REPLICATED, replicas.form());
        assertTrue(replicas.barrier().isNone());
        assertTrue(replicas.serverAt(replicas.nodes().get(1)).isSsl());
        assertEquals("Redis at h1:6379,h2:6379/1", replicas.toString());
    }

    @Test
    @DisplayName("several hosts may be addresses in brackets")
    void brackets() {
        Deployment parsed = RedisAddress.parse("redis-replica://user:secret@[::1]:1,[::2]/1", CONFIG);
        assertEquals(List.of(new Address("::1", 1), new Address("::2", 6379)), parsed.nodes());
        assertEquals(1, parsed.server().getDatabase());
    }

    @Test
    @DisplayName("a builder says the same as a URI, and keeps its secrets to itself")
    void builder() {
        RedisStoreBuilder builder = RedisStore.builder()
                .sentinel("m", "s1", "s2:26380")
                .user("user")
                .password("secret".toCharArray())
                .sentinelUser(null, "secret".toCharArray())
                .database(3)
                .tls(RedisTls.defaults())
                .timeout(Duration.ofMillis(70))
                .clientName("me")
                .barrier(ReplicationBarrier.none());
        Deployment built = builder.deployment();
        Deployment parsed = RedisAddress.parse(
                "rediss-sentinel://user:secret@s1,s2:26380/3?master=m&timeout=70ms&replicas=none", CONFIG);
        assertEquals(parsed.toString(), built.toString());
        assertEquals(parsed.nodes(), built.nodes());
        RedisURI server = built.serverAt(new Address("h", 1));
        assertTrue(server.isSsl());
        assertEquals("me", server.getClientName());
        assertEquals(Duration.ofMillis(70), server.getTimeout());
        assertEquals("user", credentials(server).getUsername());
        for (Object shown : List.of(builder, built, server, built.barrier(), RedisTls.defaults())) {
            assertFalse(shown.toString().contains("secret"), shown.toString());
        }
    }

    @Test
    @DisplayName("a builder refuses what does not go together")
    void contradictions() {
        assertThrows(IllegalStateException.class, () -> RedisStore.builder().open());
        assertThrows(
                IllegalStateException.class,
                () -> RedisStore.builder()
                        .single("h", 1)
                        .barrier(ReplicationBarrier.all())
                        .open());
        assertThrows(
                IllegalStateException.class,
                () -> RedisStore.builder().cluster("h").database(1).open());
        assertThrows(
                IllegalStateException.class,
                () -> RedisStore.builder().single("h", 1).user("u").open());
        assertThrows(IllegalArgumentException.class, () -> RedisStore.builder().single("h", 0));
        for (String host : List.of("", "redis://h", "a b")) {
            assertThrows(
                    IllegalArgumentException.class, () -> RedisStore.builder().single(host, 1));
        }
        assertThrows(IllegalArgumentException.class, () -> RedisStore.builder().sentinel("", "h"));
        assertThrows(IllegalArgumentException.class, () -> RedisStore.builder().replicated("h", "h:6379"));
        assertThrows(IllegalArgumentException.class, () -> RedisStore.builder().cluster());
        assertThrows(IllegalArgumentException.class, () -> ReplicationBarrier.replicas(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h,h:6379,g", "h:1,h:01,g:1", "h:1,H:1,g:1", "h,g,", "h,g", "h,g,a b"})
    @DisplayName("a quorum has three servers or more, and none of them twice, whatever it is called")
    void quorum(String hosts) {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> RedisQuorumProvider.nodes("redis-quorum://:secret@" + hosts));
        assertFalse(String.valueOf(e.getMessage()).contains("secret"));
    }

    @Test
    @DisplayName("a quorum's servers are in one order for everybody, whatever they are called")
    void quorumOrder() {
        assertEquals(
                List.of("redis://u:p@[::1]:6379/1", "redis://u:p@a:6379/1", "redis://u:p@b:7/1"),
                RedisQuorumProvider.nodes("redis-quorum://u:p@B:7,a,[::1]/1"));
    }

    private static RedisCredentials credentials(RedisURI uri) {
        return uri.getCredentialsProvider().resolveCredentials().block();
    }
}
