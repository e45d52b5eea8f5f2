package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import org.springframework.expression.EvaluationContext;

/** What the {@link WithLock} annotations of one method say, checked and parsed. */
record LockDefinition(Method method, List<Entry> entries, LockSettings settings, ResultType result) {

    /** One annotation. */
    record Entry(NameTemplate name, LockKind kind, int capacity, int permits, String client) {}

    /** The locks of one call. */
    List<LockTarget> targets(EvaluationContext context, Function<String, Holdfast> clients) {
        return LockTarget.distinct(entries.stream()
                .map(entry -> new LockTarget(
                        clients.apply(entry.client()),
                        entry.kind(),
                        entry.name().evaluate(context, method),
                        entry.capacity(),
                        entry.permits()))
                .toList());
    }
}
