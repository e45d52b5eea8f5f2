package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.StoreConfig;
import io.holdfast.tck.HintListener;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server, a store on it, and a plain Redis client to look behind the store's back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreTest {

    static final StoreConfig CONFIG = new StoreConfig("holdfast-test", Duration.ofSeconds(2));
    static final Owner OWNER = new Owner("client-7", "host.example", 4711, "worker-1");
    static final long DAY = Duration.ofDays(1).toMillis();
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final AtomicLong NAMES = new AtomicLong();
    private final String client = UUID.randomUUID().toString();
    private final AtomicLong claims = new AtomicLong();

    RedisServerProcess server;
    RedisStore store;
    RedisCommands<String, String> redis;
    private RedisClient plain;
    private StatefulRedisConnection<String, String> connection;

    String[] serverOptions() {
        return new String[0];
    }

    @BeforeAll
    void startServer() {
        server = RedisServerProcess.start(serverOptions());
        store = RedisStore.open(server.uri(), CONFIG);
        plain = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
        connection = plain.connect();
        redis = connection.sync();
    }

    @AfterAll
    void stopServer() {
        store.close();
        connection.close();
        plain.shutdown();
        server.close();
    }

    static String newName() {
        return "test:" + NAMES.incrementAndGet();
    }

    Claim newClaim(String name) {
        return new Claim(name, client + ":" + claims.incrementAndGet(), Mode.EXCLUSIVE, LEASE, 1, 10, OWNER);
    }

    Claim newClaim(String name, Mode mode, QueuePolicy policy) {
        return new Claim(name, newClaim(name).id(), mode, LEASE, 1, OWNER, policy, 1, ClaimOptions.NONE);
    }

    Claim newShared(String name) {
        return newClaim(name, Mode.SHARED, QueuePolicy.BARGES);
    }

    /** A claim of a writer that takes the read lock as well. */
    Claim newSharedBeside(Claim writer) {
        Claim it = newShared(writer.name());
        return new Claim(
                it.name(),
                it.id(),
                it.mode(),
                LEASE,
                1,
                OWNER,
                it.policy(),
                1,
                ClaimOptions.NONE.withCompatible(writer.id()));
    }

    Claim newPermits(String name, int permits, int capacity, QueuePolicy policy) {
        return new Claim(
                name,
                newClaim(name).id(),
                Mode.PERMITS,
                LEASE,
                1,
                OWNER,
                policy,
                permits,
                ClaimOptions.NONE.withCapacity(capacity));
    }

    /** Every key of the server expires: nothing is left for ever, whatever was run. */
    void assertKeysExpire() {
        for (String key : redis.keys("*")) {
            assertTrue(redis.pttl(key) != -1, key);
        }
    }

    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the stage itself fails with, not wrapped. */
    static <E extends HoldfastException> E failure(Class<E> type, CompletionStage<?> stage) {
        try {
            Object value = stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
            return fail("expected " + type.getSimpleName() + ", not " + value);
        } catch (ExecutionException e) {
            if (!type.isInstance(e.getCause())) {
                fail("expected " + type.getSimpleName(), e.getCause());
            }
            return type.cast(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            return fail(e);
        }
    }

    static long granted(LockStore store, Claim claim) {
        ClaimResult outcome = get(store.claim(claim));
        return outcome instanceof ClaimResult.Granted it ? it.token() : fail("not granted: " + outcome);
    }

    static Duration waiting(LockStore store, Claim claim) {
        ClaimResult outcome = get(store.claim(claim));
        return outcome instanceof ClaimResult.Busy it ? it.retryAfter() : fail("not waiting: " + outcome);
    }

    static void await(String what, BooleanSupplier condition) {
        await(what, Duration.ofSeconds(10), condition);
    }

    static void await(String what, Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("after " + atMost + " still not: " + what);
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                fail(e);
            }
        }
    }

    long calls(String command) {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .sum();
    }

    String record(String name) {
        return redis.get("holdfast:lock:{" + name + "}");
    }

    long micros() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    static void assertWithin(long from, long to, long actual) {
        assertTrue(from <= actual && actual <= to, () -> actual + " is not within " + from + " and " + to);
    }

    /** Hears which claims are notified, and not when notifications begin to arrive. */
    static ClaimListener ids(Consumer<String> called) {
        return new HintListener(called);
    }
}
