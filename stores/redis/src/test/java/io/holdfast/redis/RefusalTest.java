package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.Subscription;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each refusal from a real server where one can be made to give it. */
class RefusalTest extends StoreTest {

    private static final String PASSWORD = "s3cret-Pa55";

    private Path directory;

    @Override
    String[] serverOptions() {
        try {
            directory = Files.createTempDirectory("holdfast-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new String[] {"--dir", directory.toString(), "--busy-reply-threshold", "10"};
    }

    @Test
    @DisplayName("a user without a right to scripts is told so")
    void noScripts() {
        try (RedisStore weak = user("-@all", "~*", "&*")) {
            assertRefused(weak, "NOPERM", false);
        }
    }

    @ParameterizedTest
    @CsvSource({"-pexpire", "-pexpire -hdel -del", "-hset", "-set", "-get", "-time", "-exists"})
    @DisplayName("a right that is missing inside a script is named, and leaves nothing that can't expire")
    void missingInsideScript(String rules) {
        try (RedisStore weak = user(("+@all " + rules + " ~* &*").split(" "))) {
            assertRefused(weak, "script", false);
        }
        for (String key : redis.keys("*")) {
            assertFalse(redis.pttl(key) == -1, key);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-pexpire",
        "-pexpire -hdel -del",
        "-hset",
        "-set",
        "-zadd",
        "-hget",
        "-zrem",
        "-zrange",
        "-publish",
        "-zrangebyscore"
    })
    @DisplayName("nor does one that is missing for readers, permits, places and latches")
    void missingInsideOthers(String rules) {
        String name = newName();
        Claim holder = newShared(name);
        granted(store, holder);
        granted(store, newPermits(name, 1, 1, QueuePolicy.BARGES));
        try (RedisStore weak = user(("+@all " + rules + " ~* &*").split(" "))) {
            List<CompletionStage<?>> commands = new ArrayList<>();
            for (String of : List.of(name, newName())) {
                for (QueuePolicy policy : QueuePolicy.values()) {
                    commands.add(weak.claim(newClaim(of, Mode.SHARED, policy)));
                    commands.add(weak.claim(newClaim(of, Mode.EXCLUSIVE, policy)));
                    commands.add(weak.claim(newPermits(of, 1, 1, policy)));
                }
                commands.add(weak.addPermits(of, "id", 1, 1));
                commands.add(weak.latches().set(of, "id", 1));
                commands.add(weak.latches().countDown(of, "a"));
                commands.add(weak.renew(List.of(holder)));
                commands.add(weak.release(holder));
            }
            int refused = 0;
            for (CompletionStage<?> command : commands) {
                try {
                    get(command);
                } catch (StoreRefusedException e) {
                    assertFalse(e.retryable(), e.getMessage());
                    refused++;
                }
            }
            assertTrue(refused > 0 || rules.equals("-publish"));
        }
        assertKeysExpire();
    }

    @Test
    @DisplayName("the rights that the message asks for are enough")
    void enoughRights() {
        String[] rights = {
            "-@all", "+@scripting", "+@hash", "+@sortedset", "+@string", "+@keyspace", "+@pubsub", "+time"
        };
        try (RedisStore weak = user(Stream.concat(
                        Stream.of(rights),
                        Stream.of("~test:*", "~holdfast:*", "&redisson_lock__channel:*", "&holdfast:*"))
                .toArray(String[]::new))) {
            AtomicInteger calls = new AtomicInteger();
            Claim claim = newClaim(newName());
            granted(weak, claim);
            waiting(weak, newClaim(claim.name()));
            assertEquals(
                    Set.of(claim.id()),
                    get(weak.renew(List.of(claim.withHolds(2)))).keySet());
            assertTrue(get(weak.inspect(Resource.lock(claim.name()))).isLocked());
            assertEquals(1, get(weak.list(ResourceType.LOCK, claim.name(), 10)).size());
            try (Subscription watch = weak.watch(Resource.lock(claim.name()), calls::incrementAndGet)) {
                await("in place", () -> calls.get() == 1);
                assertTrue(get(weak.release(claim)).held());
                await("told", () -> calls.get() == 2);
            }
            granted(weak, claim);
            Claim waiting = newClaim(claim.name(), Mode.SHARED, QueuePolicy.QUEUES);
            waiting(weak, waiting);
            AtomicInteger called = new AtomicInteger();
            try (Subscription listener = weak.subscribe(waiting.client(), ids(id -> called.incrementAndGet()))) {
                await(
                        "in place",
                        () -> redis.pubsubNumsub(Keys.calls(waiting.client())).containsValue(1L));
                assertTrue(get(weak.forceRelease(Resource.lock(claim.name()), OptionalLong.empty())));
                await("called", () -> called.get() == 1);
            }
            granted(weak, waiting);
            assertEquals(Set.of(waiting.id()), get(weak.renew(List.of(waiting))).keySet());
            assertTrue(get(weak.release(waiting)).held());
            granted(weak, newPermits(claim.name(), 2, 3, QueuePolicy.QUEUES));
            assertEquals(4, get(weak.addPermits(claim.name(), "id", 1, 3)));
            assertEquals(
                    1, get(weak.list(ResourceType.SEMAPHORE, claim.name(), 10)).size());
            get(weak.latches().set(claim.name(), "id", 1));
            assertTrue(get(weak.latches().countDown(claim.name(), "a")).isOpen());
            assertTrue(get(weak.latches().look(claim.name())).isOpen());
            assertTrue(get(weak.latches().delete(claim.name(), "id")));
        }
    }

    @Test
    @DisplayName("a claim whose key the user may no longer touch does not keep the others from being renewed")
    void missingKeyInBatch() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String name = (i == 77 || i == 78 ? "secret:" : "test:batch:") + i;
            claims.add(i % 3 == 0 ? newShared(name) : newClaim(name));
        }
        claims.forEach(claim -> get(store.claim(claim)));
        Set<String> forbidden = Set.of(claims.get(77).id(), claims.get(78).id());
        try (RedisStore weak = user("+@all", "~test:*", "~holdfast:*", "&*")) {
            Set<String> renewed = get(weak.renew(claims.stream()
                            .map(claim -> claim.withLease(LEASE.multipliedBy(2)))
                            .toList()))
                    .keySet();
            assertEquals(298, renewed.size());
            assertTrue(renewed.stream().noneMatch(forbidden::contains));
            for (Claim claim : claims) {
                long lease = forbidden.contains(claim.id()) ? 30_000 : 60_000;
                assertWithin(lease - 5_000, lease, redis.pttl(claim.name()));
            }
            StoreRefusedException alone = failure(StoreRefusedException.class, weak.renew(List.of(claims.get(77))));
            assertTrue(alone.getMessage().startsWith("lock 'secret:77'"), alone.getMessage());
            failure(StoreRefusedException.class, weak.renew(claims.subList(77, 79)));
        }
    }

    @Test
    @DisplayName("a user who may not touch the key is told so")
    void missingKey() {
        try (RedisStore weak = user("+@all", "~other:*", "&*")) {
            assertRefused(weak, "NOPERM", false);
        }
    }

    @Test
    @DisplayName("a user who may not publish or subscribe can lock all the same")
    void missingChannel() {
        try (RedisStore weak = user("+@all", "~*", "resetchannels")) {
            Claim claim = newClaim(newName());
            granted(weak, claim);
            try (Subscription watch = weak.watch(Resource.lock(claim.name()), () -> {})) {
                assertEquals(new ReleaseResult(true, false), get(weak.release(claim)));
            }
            granted(weak, claim);
            assertTrue(get(weak.forceRelease(Resource.lock(claim.name()), OptionalLong.empty())));
        }
    }

    @Test
    @DisplayName("a wrong password, and one that is missing")
    void password() {
        redis.configSet("requirepass", PASSWORD);
        try {
            try (RedisStore none = RedisStore.open(server.uri(), CONFIG)) {
                assertRefused(none, "NOAUTH", false);
            }
            try (RedisStore wrong =
                    RedisStore.open("redis://:not" + PASSWORD + "@127.0.0.1:" + server.port(), CONFIG)) {
                assertRefused(wrong, "WRONGPASS", false);
            }
            try (RedisStore right = RedisStore.open("redis://:" + PASSWORD + "@127.0.0.1:" + server.port(), CONFIG)) {
                granted(right, newClaim(newName()));
                assertFalse(right.description().contains(PASSWORD));
            }
        } finally {
            redis.configSet("requirepass", "");
        }
    }

    @Test
    @DisplayName("a database that the server doesn't have")
    void database() {
        try (RedisStore far = RedisStore.open(server.uri() + "/9999", CONFIG)) {
            assertRefused(far, "DB index is out of range", false);
        }
        try (RedisStore third = RedisStore.open(server.uri() + "/3", CONFIG)) {
            String name = newName();
            granted(third, newClaim(name));
            assertEquals(0, redis.exists(name));
            granted(store, newClaim(name));
            assertTrue(third.description().endsWith(server.port() + "/3"));
        }
    }

    @Test
    @DisplayName("a replica takes no locks, and one that lost its primary not either")
    void replica() {
        granted(store, newClaim(newName()));
        redis.replicaof("127.0.0.1", 1);
        try {
            assertRefused(store, "READONLY", true);
            redis.configSet("replica-serve-stale-data", "no");
            assertRefused(store, "MASTERDOWN", true);
        } finally {
            redis.configSet("replica-serve-stale-data", "yes");
            redis.replicaofNoOne();
        }
        granted(store, newClaim(newName()));
    }

    @Test
    @DisplayName("a full server grants nothing new, but what is held is renewed and released")
    void full() {
        Claim held = newClaim(newName());
        granted(store, held);
        Claim reader = newShared(newName());
        granted(store, reader);
        Claim permits = newPermits(newName(), 1, 1, QueuePolicy.BARGES);
        granted(store, permits);
        redis.configSet("maxmemory", "1");
        try {
            assertRefused(store, "OOM", true);
            granted(store, held);
            assertEquals(
                    Set.of(held.id()),
                    get(store.renew(List.of(held.withHolds(2)))).keySet());
            assertTrue(get(store.release(held)).held());
        } finally {
            redis.configSet("maxmemory", "0");
        }
    }

    @Test
    @DisplayName("too few replicas")
    void replicas() {
        redis.configSet("min-replicas-to-write", "1");
        try {
            assertRefused(store, "NOREPLICAS", true);
        } finally {
            redis.configSet("min-replicas-to-write", "0");
        }
    }

    @Test
    @DisplayName("a snapshot that can't be written")
    void snapshot() throws IOException {
        redis.configSet("save", "3600 1000000");
        Files.delete(directory);
        try {
            redis.bgsave();
            await("failed", () -> redis.info("persistence").contains("rdb_last_bgsave_status:err"));
            assertRefused(store, "MISCONF", true);
        } finally {
            redis.configSet("save", "");
        }
        granted(store, newClaim(newName()));
    }

    @Test
    @DisplayName("a script of somebody else's that does not end")
    void busy() {
        granted(store, newClaim(newName()));
        try (RedisStore other = RedisStore.open(server.uri(), CONFIG)) {
            granted(other, newClaim(newName()));
            redis.getStatefulConnection().async().eval("while true do end", ScriptOutputType.STATUS);
            await("busy", () -> {
                try {
                    get(store.claim(newClaim(newName())));
                    return false;
                } catch (StoreRefusedException e) {
                    assertTrue(e.getMessage().contains("BUSY"), e.getMessage());
                    assertTrue(e.retryable());
                    return true;
                }
            });
        } finally {
            killScript();
        }
        await("over", () -> {
            try {
                granted(store, newClaim(newName()));
                return true;
            } catch (StoreRefusedException e) {
                return false;
            }
        });
    }

    @Test
    @DisplayName("as many clients as the server allows")
    void maxClients() {
        granted(store, newClaim(newName()));
        redis.configSet("maxclients", "1");
        try (RedisStore other = RedisStore.open(server.uri(), CONFIG)) {
            HoldfastException e = failure(HoldfastException.class, other.claim(newClaim(newName())));
            assertTrue(e.retryable(), e.getMessage());
        } finally {
            redis.configSet("maxclients", "100");
        }
    }

    @Test
    @DisplayName("TLS to a port that doesn't speak it fails in time, and is not downgraded")
    void noTls() {
        String uri = "rediss://127.0.0.1:" + server.port() + "?timeout=500ms";
        try (RedisStore tls = RedisStore.open(uri, CONFIG)) {
            failure(StoreUnavailableException.class, tls.claim(newClaim(newName())));
        }
    }

    @Test
    @DisplayName("a certificate that nobody vouches for is refused for good")
    void untrustedCertificate() throws Exception {
        try (SSLServerSocket socket = SelfSigned.listen(directory())) {
            Thread thread = new Thread(() -> SelfSigned.shakeHands(socket));
            thread.start();
            // The first handshake of a JVM takes its time on a busy machine; if it takes too long, there is another.
            StoreConfig patient = new StoreConfig("holdfast-test", Duration.ofSeconds(9));
            try (RedisStore tls = RedisStore.open("rediss://127.0.0.1:" + socket.getLocalPort(), patient)) {
                await("refused", () -> {
                    HoldfastException e = failure(HoldfastException.class, tls.claim(newClaim(newName())));
                    assertTrue(e.getMessage().contains("TLS"), e.getMessage());
                    return e instanceof StoreRefusedException && !e.retryable();
                });
            }
        }
    }

    @Test
    @DisplayName("a server that is not there")
    void nobody() {
        try (RedisStore nobody = RedisStore.open("redis://user:" + PASSWORD + "@127.0.0.1:1", CONFIG)) {
            StoreUnavailableException e = failure(StoreUnavailableException.class, nobody.claim(newClaim("far")));
            assertTrue(
                    e.getMessage().startsWith("lock 'far': Redis at 127.0.0.1:1/0 did not answer: "), e.getMessage());
            assertNoSecret(e);
        }
    }

    private static Path directory() throws IOException {
        return Files.createTempDirectory("holdfast-redis");
    }

    private RedisStore user(String... rules) {
        redis.aclSetuser("weak", AclSetuserArgs.Builder.reset());
        redis.dispatch(
                CommandType.ACL,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8)
                        .add("SETUSER")
                        .add("weak")
                        .add("on")
                        .add(">" + PASSWORD)
                        .addValues(rules));
        return RedisStore.open("redis://weak:" + PASSWORD + "@127.0.0.1:" + server.port(), CONFIG);
    }

    private void assertRefused(RedisStore by, String code, boolean retryable) {
        String name = newName();
        StoreRefusedException e = failure(StoreRefusedException.class, by.claim(newClaim(name)));
        assertTrue(e.getMessage().contains(code), e.getMessage());
        assertTrue(e.getMessage().startsWith("lock '" + name + "' was refused by Redis at 127.0.0.1:"));
        assertEquals(retryable, e.retryable(), e.getMessage());
        assertNoSecret(e);
    }

    private static void assertNoSecret(Throwable e) {
        StringWriter all = new StringWriter();
        e.printStackTrace(new PrintWriter(all, true));
        assertFalse(all.toString().contains(PASSWORD), all.toString());
    }

    // The connection that runs it is not free to end it.
    private void killScript() {
        RedisClient killer = RedisClient.create(server.uri());
        try (var connection = killer.connect()) {
            connection.sync().scriptKill();
        } finally {
            killer.shutdown();
        }
    }
}
