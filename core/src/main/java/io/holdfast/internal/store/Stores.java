package io.holdfast.internal.store;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the store that serves a URI. */
public final class Stores {

    /** What stands before the first colon may be a password if it is no scheme. */
    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):.*", Pattern.DOTALL);

    /** The schemes of this project's stores, with the module that serves each. */
    private static final SortedMap<String, String> MODULES = modules();

    private Stores() {}

    private static SortedMap<String, String> modules() {
        SortedMap<String, String> modules = new TreeMap<>();
        modules.put("memory", "holdfast-core");
        modules.put("jdbc", "holdfast-jdbc");
        modules.put("zookeeper", "holdfast-zookeeper");
        modules.put("hazelcast", "holdfast-hazelcast");
        modules.put("etcd", "holdfast-etcd");
        modules.put("etcds", "holdfast-etcd");
        for (String form : List.of("", "-sentinel", "-cluster", "-replica", "-quorum")) {
            modules.put("redis" + form, "holdfast-redis");
            modules.put("rediss" + form, "holdfast-redis");
        }
        return modules;
    }

    /** The scheme of a URI, in small letters; empty if it has none. */
    private static String scheme(String uri) {
        Matcher scheme = SCHEME.matcher(uri);
        return scheme.matches() ? scheme.group(1).toLowerCase(Locale.ROOT) : "";
    }

    /**
     * Opens the store.
     *
     * @throws IllegalArgumentException if the URI is wrong, or no store on the class path serves it
     */
    public static LockStore open(String uri, StoreConfig config) {
        String scheme = scheme(uri);
        if (!uri.equals(uri.strip())) {
            throw new IllegalArgumentException(
                    "the URI of a store must not begin or end with white space, as this one does: remove it");
        }
        if (scheme.isEmpty()) {
            throw new IllegalArgumentException("the URI of a store must begin with a scheme, as in redis://host:6379");
        }
        Set<String> available = new TreeSet<>();
        // The loader of this class finds the stores also where the caller's context loader is of no use.
        for (ClassLoader loader :
                new ClassLoader[] {Thread.currentThread().getContextClassLoader(), Stores.class.getClassLoader()}) {
            for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class, loader)) {
                if (provider.serves(scheme)) {
                    return provider.open(uri, config);
                }
                MODULES.keySet().stream().filter(provider::serves).forEach(available::add);
            }
        }
        throw new IllegalArgumentException(missing(scheme) + "; available now: " + schemes(available));
    }

    private static String missing(String scheme) {
        String module = MODULES.get(scheme);
        return module == null
                ? "no store on the class path serves '" + scheme + ":', and none of Holdfast's does: they serve "
                        + schemes(MODULES.keySet())
                : "no store on the class path serves '" + scheme + ":'; add the module io.holdfast:" + module;
    }

    private static String schemes(Set<String> schemes) {
        return schemes.stream().map(scheme -> scheme + ":").collect(Collectors.joining(", "));
    }
}
