package io.holdfast.internal.memory;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** {@code memory:} is a store of its own; {@code memory:name} is one that the clients of this JVM share. */
public final class MemoryStoreProvider implements LockStoreProvider {

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("memory");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        String name = uri.substring("memory:".length());
        return name.isEmpty() ? new MemoryStore(new MemoryLocks(System::nanoTime), "memory") : MemoryStore.shared(name);
    }
}
