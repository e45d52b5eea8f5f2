package io.holdfast.internal;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the store that serves a URI. */
public final class Stores {

    /** What stands before the first colon may be a password if it is no scheme. */
    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):.*", Pattern.DOTALL);

    private Stores() {}

    /** The scheme of a URI, in small letters; empty if it has none. */
    private static String scheme(String uri) {
        Matcher scheme = SCHEME.matcher(uri);
        return scheme.matches() ? scheme.group(1).toLowerCase(Locale.ROOT) : "";
    }

    public static LockStore open(String uri, StoreConfig config) {
        String scheme = scheme(uri);
        if (scheme.isEmpty()) {
            throw new IllegalArgumentException("the URI of a store must begin with a scheme, as in redis://host:6379");
        }
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
