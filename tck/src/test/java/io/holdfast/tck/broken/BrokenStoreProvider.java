package io.holdfast.tck.broken;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.StoreTraits;
import io.holdfast.tck.ForwardingStore;
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
        Fault fault = Fault.valueOf(parts[1]);
        LockStore memory = memory("memory:" + parts[2], config);
        return fault.in(fault == Fault.MISTAKES_PLACES ? memory : withoutGrantsOnRelease(memory));
    }

    /** What one way of going to the next is good for would not show if there were another. */
    private static LockStore withoutGrantsOnRelease(LockStore store) {
        return new ForwardingStore(store) {
            @Override
            public StoreTraits traits() {
                StoreTraits its = super.traits();
                return new StoreTraits(its.guarantee(), its.acrossProcesses(), its.minTokens(), false);
            }
        };
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
