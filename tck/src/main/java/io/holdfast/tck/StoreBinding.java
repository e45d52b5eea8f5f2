package io.holdfast.tck;

import io.holdfast.Holdfast;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.Resource;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;

/** What a store's module tells the suite. Only {@link #uri()} has no default. */
public interface StoreBinding {

    /** What {@link #wrongUris()} and {@link #secretUris()} use as their password, and no message may show. */
    String PASSWORD = "s3cret-Pa55";

    /** Where the store under test is, for clients in this process and in other processes. The tests share it. */
    String uri();

    /** A client of the store under test that is not built yet. */
    default Holdfast.Builder newClient() {
        return Holdfast.builder().uri(uri());
    }

    /** The store itself, with connections of its own. */
    default LockStore newStore() {
        String uri = uri();
        String scheme = uri.substring(0, uri.indexOf(':')).toLowerCase(Locale.ROOT);
        return ServiceLoader.load(LockStoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.serves(scheme))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no store on the class path serves " + scheme + ":"))
                .open(uri, new StoreConfig("tck", Duration.ofSeconds(5)));
    }

    /** A store of this kind in simulated time, if there is such a thing: a new one for each test that asks. */
    default Optional<SimulatedTime> simulatedTime() {
        return Optional.empty();
    }

    /** As short a lease as the store can be relied on to grant before it is over, on a loaded machine, too. */
    default Duration briefLease() {
        return Duration.ofMillis(10);
    }

    /** Whether a claim that is held has one token, whichever client asks; of a majority another client may get a greater one. */
    default boolean tellsAllTheSameToken() {
        return true;
    }

    /** Makes the store lose a lock that is held, if it can without a notification; by default it is forced. */
    default void forget(String name) {
        try (LockStore store = newStore()) {
            store.forceRelease(Resource.lock(name), OptionalLong.empty())
                    .toCompletableFuture()
                    .join();
        }
    }

    /** Names that are odd for this store in particular: what it could mistake for a key of its own. */
    default List<String> oddNames() {
        return List.of();
    }

    /** URIs of this store's scheme that are wrong, with {@link #PASSWORD} as their password where they have one. */
    default List<String> wrongUris() {
        return List.of();
    }

    /** URIs that are right, with {@link #PASSWORD} as their password, and lead nowhere. */
    default List<String> secretUris() {
        return List.of();
    }
}
