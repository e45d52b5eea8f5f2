package io.holdfast.cli;

import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the locks are: what all commands have in common. */
final class StoreOptions {

    private static final String URL_VARIABLE = "HOLDFAST_URL";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "Where the locks are: redis://…, rediss://…, the same with -sentinel, -cluster, -replica or -quorum,",
                "zookeeper://…, etcd://…, hazelcast://…,",
                "jdbc:postgresql://…, jdbc:mariadb://…, jdbc:h2:….",
                "Better in the variable HOLDFAST_URL, which others can't see, if there is a password in it.",
                "Default: a file of yours, for the processes of this machine."
            })
    private @Nullable String url;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long to try a store that does not answer. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ZERO;

    Duration timeout() {
        return timeout;
    }

    /** @param clientName shown by the store and by inspection */
    LockStore open(String clientName) {
        if (timeout.isZero()) {
            throw new CliException(Exit.USAGE, "--timeout must be more than zero");
        }
        String where = where();
        if (!where.equals(where.strip())) {
            throw new CliException(Exit.USAGE, "the URL must not begin or end with white space: remove it");
        }
        int colon = where.indexOf(':');
        String before = colon < 1 ? "" : where.substring(0, colon).toLowerCase(Locale.ROOT);
        String scheme = before.matches("[a-z][a-z0-9+.-]*") ? before : ""; // it may be a password otherwise
        // Locks that no other process can see are of no use here, whatever the library offers.
        if (!scheme.isEmpty() && !scheme.equals("memory")) {
            for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class)) {
                if (provider.serves(scheme)) {
                    return provider.open(where, new StoreConfig(clientName, timeout));
                }
            }
        }
        throw new CliException(
                Exit.USAGE,
                (scheme.isEmpty() ? "the URL has no scheme" : "there is no store for '" + scheme + ":' URLs")
                        + "; write redis://host:6379, etcd://host:2379, zookeeper://host:2181, hazelcast://host:5701,"
                        + " jdbc:postgresql://host/database?user=…, or the like");
    }

    /**
     * The latches of the store.
     *
     * @throws StoreRefusedException if it keeps none
     */
    static LatchStore latches(LockStore store) {
        LatchStore latches = store.capability(LatchStore.class);
        if (latches == null) {
            throw new StoreRefusedException(store.description() + " keeps no latches", false);
        }
        return latches;
    }

    /** Opens the store, asks it, and closes it. */
    <T> T ask(Function<LockStore, CompletionStage<T>> question) {
        try (LockStore store = open("cli")) {
            return answer(store, question.apply(store));
        }
    }

    /** Waits for an answer, for the time-out at most. */
    <T> T answer(LockStore store, CompletionStage<T> asked) {
        try {
            return asked.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(
                    store.description() + " did not answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(Exit.INTERNAL, "interrupted", e);
        }
    }

    private String where() {
        if (url != null && !url.isEmpty()) {
            return url;
        }
        String variable = System.getenv(URL_VARIABLE);
        return variable != null && !variable.isEmpty() ? variable : new DefaultStore(System.getenv()).url();
    }
}
