package io.holdfast.spring.boot;

import io.holdfast.spi.LockStoreProvider;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs beside code: the scripts, the SQL, and the stores that are found by a URI. */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("io/holdfast/redis/*.lua")
                .registerPattern("io/holdfast/jdbc/*.sql")
                .registerPattern("io/holdfast/jdbc/*/*.sql")
                .registerPattern("META-INF/services/" + LockStoreProvider.class.getName());
        for (var provider :
                ServiceLoader.load(LockStoreProvider.class, loader).stream().toList()) {
            hints.reflection().registerType(provider.type(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        }
    }
}
