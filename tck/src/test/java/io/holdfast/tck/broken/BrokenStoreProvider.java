package io.holdfast.tck.broken;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.util.ServiceLoader;

/** Serves {@code broken:FAULT:name}: the in-memory store of that name, with that fault. */
public final class BrokenStoreProvider implements LockStoreProvider {

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("broken");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        String[] parts = uri.split(":", 3);
        return Fault.valueOf(parts[1]).in(memory("memory:" + parts[2], config));
    }

    private static LockStore memory(String uri, StoreConfig config) {
        for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class)) {
            if (provider.serves("memory")) {
                return provider.open(uri, config);
            }
        }
        throw new IllegalStateException("no in-memory store");
    }
}
