package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code #root} of the expressions in {@link WithLock#name()}.
 *
 * @param target the object that is called, without its proxy
 */
public record LockRoot(Method method, Object target, Class<?> targetClass, List<@Nullable Object> args) {}
