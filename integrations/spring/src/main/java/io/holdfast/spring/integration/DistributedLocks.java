package io.holdfast.spring.integration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Gives a lock the type {@code DistributedLock} where Spring Integration has it: 7 does, 6.5 does not. What that adds to
 * {@link Lock} are the two methods of {@link RegisteredLock} with a time to live.
 */
final class DistributedLocks {

    private static final @Nullable Class<?> TYPE = type();

    private DistributedLocks() {}

    private static @Nullable Class<?> type() {
        String name = "org.springframework.integration.support.locks.DistributedLock";
        ClassLoader loader = DistributedLocks.class.getClassLoader();
        return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
    }

    static Lock adapt(RegisteredLock lock) {
        return TYPE == null
                ? lock.as(lock)
                : lock.as((Lock) Proxy.newProxyInstance(
                        DistributedLocks.class.getClassLoader(), new Class<?>[] {TYPE}, new Handler(lock)));
    }

    /** The lock behind what {@link #adapt} gave. */
    static RegisteredLock behind(Lock adapted) {
        return adapted instanceof RegisteredLock lock ? lock : ((Handler) Proxy.getInvocationHandler(adapted)).lock();
    }

    private record Handler(RegisteredLock lock) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            if (args != null && args.length > 0 && args[0] instanceof Duration first) {
                if (args.length == 1) {
                    lock.lock(first);
                    return null;
                }
                return lock.tryLock(first, (Duration) args[1]);
            }
            if (method.getName().equals("equals")) {
                return args != null && proxy == args[0];
            }
            try {
                return method.invoke(lock, args);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }
}
