package io.holdfast.internal;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.util.Locale;
import java.util.ServiceLoader;

/** Finds the store that serves a URI. */
public final class Stores {

    private Stores() {}

    public static LockStore open(String uri, StoreConfig config) {
        int colon = uri.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("the URI of a store must begin with a scheme, as in redis://host:6379");
        }
        String scheme = uri.substring(0, colon).toLowerCase(Locale.ROOT);
        // The loader of this class finds the stores also where the caller's context loader is of no use.
        for (ClassLoader loader :
                new ClassLoader[] {Thread.currentThread().getContextClassLoader(), Stores.class.getClassLoader()}) {
            for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class, loader)) {
                if (provider.serves(scheme)) {
                    return provider.open(uri, config);
                }
            }
        }
        throw new IllegalArgumentException("no store on the class path serves '" + scheme
                + ":'; add the module for it (for redis: io.holdfast:holdfast-redis)");
    }
}
