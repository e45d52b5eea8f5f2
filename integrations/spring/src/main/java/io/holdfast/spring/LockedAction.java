package io.holdfast.spring;

import io.holdfast.Lease;
import org.jspecify.annotations.Nullable;

/**
 * What runs under a lock.
 *
 * @param <T> what it returns
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface LockedAction<T, E extends Throwable> {

    /**
     * Does the work.
     *
     * @param lease the lease that is held meanwhile, with its {@linkplain Lease#token() fencing token}; it is closed afterwards
     */
    @Nullable
    T run(Lease lease) throws E;
}
