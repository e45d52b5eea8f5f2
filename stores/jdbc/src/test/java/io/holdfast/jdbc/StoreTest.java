package io.holdfast.jdbc;

import static org.junit.jupiter.api.Assertions.fail;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** Makes claims and stores for a test, and closes the stores after it. */
abstract class StoreTest {

    static final StoreConfig CONFIG = new StoreConfig("holdfast-test", Duration.ofSeconds(5));
    static final Owner OWNER = new Owner("client-7", "host.example", 4711, "worker-1");
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final AtomicLong NAMES = new AtomicLong();
    private final AtomicLong claims = new AtomicLong();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    final String client = UUID.randomUUID().toString();

    @AfterEach
    final void closeWhatWasOpened() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    final <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    final JdbcStore open(TestDatabase database) {
        return opened(JdbcStore.open(database.uri(), CONFIG));
    }

    final LockStore memory() {
        for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class)) {
            if (provider.serves("memory")) {
                return opened(provider.open("memory:", CONFIG));
            }
        }
        return fail("there is no in-memory store");
    }

    static String newName() {
        return "test:" + NAMES.incrementAndGet();
    }

    final Claim newClaim(String name) {
        return newClaim(name, Mode.EXCLUSIVE, QueuePolicy.BARGES);
    }

    final Claim newClaim(String name, Mode mode, QueuePolicy policy) {
        return new Claim(
                name,
                newId(),
                mode,
                LEASE,
                1,
                OWNER,
                policy,
                1,
                ClaimOptions.tokens(10).withCapacity(mode == Mode.PERMITS ? 3 : 1));
    }

    final String newId() {
        return client + ":" + claims.incrementAndGet();
    }

    static long token(CompletionStage<ClaimResult> outcome) {
        return get(outcome) instanceof ClaimResult.Granted granted ? granted.token() : fail("not granted");
    }

    static boolean isGranted(CompletionStage<ClaimResult> outcome) {
        return get(outcome) instanceof ClaimResult.Granted;
    }

    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the stage itself fails with, not wrapped. */
    static <E extends HoldfastException> E failure(Class<E> type, CompletionStage<?> stage) {
        try {
            return fail("expected a failure, not " + stage.toCompletableFuture().get(20, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return type.isInstance(e.getCause()) ? type.cast(e.getCause()) : fail("not " + type, e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
