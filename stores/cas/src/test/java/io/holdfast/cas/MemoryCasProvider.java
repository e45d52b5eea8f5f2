package io.holdfast.cas;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** {@code cas-revisions:name} and {@code cas-values:name}: the kernel on a register in memory, with revisions or without. */
public final class MemoryCasProvider implements LockStoreProvider {

    private static final Map<String, MemoryRegister> REGISTERS = new ConcurrentHashMap<>();

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("cas-revisions") || scheme.equals("cas-values");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        MemoryRegister register =
                REGISTERS.computeIfAbsent(uri, unused -> new MemoryRegister(uri.startsWith("cas-revisions:")));
        return new CasStore(register.another(), config);
    }
}
