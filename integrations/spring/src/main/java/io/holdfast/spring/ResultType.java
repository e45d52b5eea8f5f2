package io.holdfast.spring;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** What a method returns, as far as its lock is concerned: how long it is held, and what a skipped call returns. */
enum ResultType {
    /** Held until the method returns. */
    VALUE,
    /** Held until the stage has completed. */
    STAGE,
    /** Held from the subscription to the end or the cancellation. */
    REACTIVE;

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ResultType.class.getClassLoader());

    /** @throws IllegalArgumentException if no lock can be held for what the method returns */
    static ResultType of(Method method) {
        Class<?> type = method.getReturnType();
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation")) {
            throw new IllegalArgumentException(
                    "a suspend function is not supported, since it returns before its work is done; use LockTemplate inside of it");
        }
        if (CompletionStage.class.isAssignableFrom(type)) {
            if (!type.isAssignableFrom(CompletableFuture.class)) {
                throw new IllegalArgumentException("it returns " + type.getName()
                        + "; of stages, CompletionStage and CompletableFuture are supported");
            }
            return STAGE;
        }
        if (Future.class.isAssignableFrom(type) || BaseStream.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(
                    "it returns " + type.getName()
                            + ", whose work goes on after the method has returned and the lock was given back; return a CompletableFuture or a value");
        }
        ReactiveAdapter adapter = adapter(type);
        if (adapter != null && !REACTOR) {
            throw new IllegalArgumentException(
                    "it returns " + type.getName() + ", for which reactor-core is needed on the class path");
        }
        return adapter == null ? VALUE : REACTIVE;
    }

    static @Nullable ReactiveAdapter adapter(Class<?> type) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    }

    /** @throws IllegalArgumentException if there is no value that a skipped call of the method could return */
    void checkSkippable(Method method) {
        Class<?> type = method.getReturnType();
        if (type.isPrimitive() && type != void.class) {
            throw new IllegalArgumentException("a call that is skipped has nothing to return as " + type
                    + "; return an Optional or a reference, or set onBusy to WAIT or THROW");
        }
    }

    /** What a call returns that was skipped, and is neither reactive nor a stage. */
    static @Nullable Object skipped(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        } else if (type == OptionalInt.class) {
            return OptionalInt.empty();
        } else if (type == OptionalLong.class) {
            return OptionalLong.empty();
        } else if (type == OptionalDouble.class) {
            return OptionalDouble.empty();
        }
        return null;
    }

    /** What a stage completes with if its call was skipped. */
    static @Nullable Object skippedInStage(Type stage) {
        if (stage instanceof ParameterizedType parameterized) {
            Type value = parameterized.getActualTypeArguments()[0];
            if (value instanceof ParameterizedType inner) {
                value = inner.getRawType();
            }
            if (value instanceof Class<?> type) {
                return skipped(type);
            }
        }
        return null;
    }

    /**
     * Refuses a value that is not what its method declares: one whose work goes on without the lock.
     *
     * @throws IllegalStateException if it is a stage, a future, or reactive
     */
    static @Nullable Object checkValue(@Nullable Object value, Method method) {
        if (value != null
                && (value instanceof Future<?>
                        || value instanceof CompletionStage<?>
                        || value instanceof BaseStream<?, ?>
                        || adapter(value.getClass()) != null)) {
            throw new IllegalStateException(
                    Definitions.label(method) + " returned a "
                            + value.getClass().getName()
                            + ", whose work goes on after the lock was given back; declare that type as the type of the result");
        }
        return value;
    }
}
