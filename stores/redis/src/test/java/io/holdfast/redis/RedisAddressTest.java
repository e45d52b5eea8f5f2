package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @Test
    @DisplayName("a host is enough")
    void host() {
        RedisURI uri = RedisAddress.parse("redis://redis_1", TIMEOUT);
        assertEquals("redis_1", uri.getHost());
        assertEquals(6379, uri.getPort());
        assertEquals(0, uri.getDatabase());
        assertEquals(TIMEOUT, uri.getTimeout());
        assertFalse(uri.isSsl());
        assertEquals("Redis at redis_1:6379/0", RedisAddress.describe(uri));
    }

    @Test
    @DisplayName("everything that a URI can say")
    void everything() {
        RedisURI uri = RedisAddress.parse("REDISS://us%40er:p%3Aa+s%25s@[::1]:7000/12?timeout=250ms", TIMEOUT);
        assertTrue(uri.isSsl());
        assertTrue(uri.isVerifyPeer());
        assertEquals("::1", uri.getHost());
        assertEquals(7000, uri.getPort());
        assertEquals(12, uri.getDatabase());
        assertEquals(Duration.ofMillis(250), uri.getTimeout());
        RedisCredentials credentials = credentials(uri);
        assertEquals("us@er", credentials.getUsername());
        assertEquals("p:a+s%s", new String(credentials.getPassword()));
        assertEquals("Redis at [::1]:7000/12", RedisAddress.describe(uri));
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://:secret@h", "redis://secret@h"})
    @DisplayName("a password without a user is the default user's")
    void passwordOnly(String text) {
        RedisCredentials credentials = credentials(RedisAddress.parse(text, TIMEOUT));
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
    @DisplayName("the provider serves the two schemes")
    void provider() {
        RedisStoreProvider provider = new RedisStoreProvider();
        assertTrue(provider.serves("redis"));
        assertTrue(provider.serves("rediss"));
        assertFalse(provider.serves("redis-sentinel"));
    }

    private static RedisCredentials credentials(RedisURI uri) {
        return uri.getCredentialsProvider().resolveCredentials().block();
    }
}
