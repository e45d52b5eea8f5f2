package io.holdfast.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.util.ClassUtils;

/** Reads {@link WithLock} from methods and classes, once for each method. */
final class Definitions {

    private final Function<String, String> placeholders;
    private final Supplier<LockDefaults> defaults;
    private final Map<MethodClassKey, Optional<LockDefinition>> known = new ConcurrentHashMap<>();

    /**
     * @param placeholders resolves {@code ${…}}
     * @param defaults asked when the first method is read, and not before
     */
    Definitions(Function<String, String> placeholders, Supplier<LockDefaults> defaults) {
        this.placeholders = placeholders;
        this.defaults = defaults;
    }

    static String label(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "("
                + Stream.of(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", "))
                + ")";
    }

    /**
     * The definition of the method as that class has it, or {@code null} if it takes no lock.
     *
     * @throws IllegalStateException if what the annotations say can't work
     */
    @Nullable
    LockDefinition find(Method method, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LockDefinition> definition = known.get(key);
        if (definition == null) {
            // Not inside the map: the defaults may be a bean, whose own methods are asked about while it is made.
            definition = Optional.ofNullable(read(method, ClassUtils.getUserClass(targetClass)));
            known.put(key, definition);
        }
        return definition.orElse(null);
    }

    /** Whether the method takes a lock, right or wrong. */
    static boolean isLocked(Method method, Class<?> targetClass) {
        return !annotations(method, ClassUtils.getUserClass(targetClass)).isEmpty();
    }

    private @Nullable LockDefinition read(Method method, Class<?> targetClass) {
        Collection<WithLock> annotations = annotations(method, targetClass);
        if (annotations.isEmpty()) {
            return null;
        }
        Method specific = specific(method, targetClass);
        try {
            return define(specific, List.copyOf(annotations));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("@WithLock on " + label(specific) + ": " + e.getMessage(), e);
        }
    }

    private static Method specific(Method method, Class<?> targetClass) {
        return BridgeMethodResolver.findBridgedMethod(AopUtils.getMostSpecificMethod(method, targetClass));
    }

    /** Those of the method, of the one that it implements, or of the class, in that order. */
    private static Collection<WithLock> annotations(Method method, Class<?> targetClass) {
        Method specific = specific(method, targetClass);
        if (specific.isSynthetic()) {
            return List.of();
        }
        Collection<WithLock> found = of(specific);
        if (found.isEmpty() && !specific.equals(method)) {
            found = of(method);
        }
        if (found.isEmpty() && Modifier.isPublic(specific.getModifiers()) && ClassUtils.isUserLevelMethod(specific)) {
            found = AnnotatedElementUtils.findMergedRepeatableAnnotations(
                    specific.getDeclaringClass().isInterface() ? targetClass : specific.getDeclaringClass(),
                    WithLock.class,
                    WithLocks.class);
            if (found.isEmpty() && !Modifier.isStatic(specific.getModifiers())) {
                found = AnnotatedElementUtils.findMergedRepeatableAnnotations(
                        targetClass, WithLock.class, WithLocks.class);
            }
        }
        return found;
    }

    private static Collection<WithLock> of(Method method) {
        return AnnotatedElementUtils.findMergedRepeatableAnnotations(method, WithLock.class, WithLocks.class);
    }

    // ---- one method -------------------------------------------------------------------------------------------

    private LockDefinition define(Method method, List<WithLock> annotations) {
        List<LockDefinition.Entry> entries = annotations.stream()
                .map(annotation -> entry(annotation, method))
                .toList();
        if (entries.size() > 1 && entries.stream().anyMatch(entry -> entry.kind() == LockKind.SEMAPHORE)) {
            throw new IllegalArgumentException("permits of a semaphore can't be taken together with other locks");
        }
        boolean scheduled = AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)
                || AnnotatedElementUtils.hasAnnotation(method, Schedules.class);
        List<LockSettings> settings = annotations.stream()
                .map(annotation -> settings(annotation, scheduled))
                .distinct()
                .toList();
        if (settings.size() > 1) {
            throw new IllegalArgumentException(
                    "several locks of one method are taken as one, so waitAtMost, lease, onBusy, atLeast"
                            + " and onLost must be the same in all of them");
        }
        ResultType result = ResultType.of(method);
        if (result != ResultType.VALUE && settings.get(0).ownedByCall()) {
            throw new IllegalArgumentException("atLeast is for methods that return when their work is done, not for "
                    + method.getReturnType().getName());
        }
        if (settings.get(0).skips()) {
            result.checkSkippable(method);
        }
        return new LockDefinition(method, entries, settings.get(0), result);
    }

    private LockDefinition.Entry entry(WithLock annotation, Method method) {
        NameTemplate name = NameTemplate.parse(placeholders.apply(annotation.name()));
        Variables.check(name, method);
        if (annotation.kind() == LockKind.SEMAPHORE) {
            LockTemplate.checkPermits(annotation.capacity(), annotation.permits());
        } else if (annotation.capacity() != 0 || annotation.permits() != 1) {
            throw new IllegalArgumentException(
                    "capacity and permits are for kind = SEMAPHORE, not for " + annotation.kind());
        }
        return new LockDefinition.Entry(
                name, annotation.kind(), annotation.capacity(), annotation.permits(), annotation.client());
    }

    private LockSettings settings(WithLock annotation, boolean scheduled) {
        OnBusy onBusy =
                annotation.onBusy() != OnBusy.AUTO ? annotation.onBusy() : scheduled ? OnBusy.SKIP : OnBusy.WAIT;
        Duration wait = duration("waitAtMost", annotation.waitAtMost());
        Duration atLeast = duration("atLeast", annotation.atLeast());
        return new LockSettings(
                wait == null && onBusy == OnBusy.WAIT ? defaults.get().waitAtMost() : wait,
                duration("lease", annotation.lease()),
                onBusy,
                atLeast == null ? Duration.ZERO : atLeast,
                annotation.onLost(),
                defaults.get().inTransaction());
    }

    private @Nullable Duration duration(String attribute, String text) {
        String resolved = placeholders.apply(text).strip();
        if (resolved.isEmpty()) {
            return null;
        }
        try {
            return DurationFormatterUtils.detectAndParse(resolved, DurationFormat.Unit.MILLIS);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    attribute + " = \"" + resolved + "\" is no duration; write for instance \"5s\" or \"PT5S\"", e);
        }
    }
}
