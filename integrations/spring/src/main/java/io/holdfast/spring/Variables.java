package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** Checks at the start that the expressions of a name speak of parameters that the method has. */
final class Variables {

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private Variables() {}

    /** @throws IllegalArgumentException if an expression has a variable that would be {@code null} in every call */
    static void check(NameTemplate template, Method method) {
        Set<String> used = new TreeSet<>();
        for (SpelExpression expression : template.expressions()) {
            collect(expression.getAST(), used);
        }
        String @Nullable [] names = NAMES.getParameterNames(method);
        Set<String> known = new HashSet<>(Set.of("root", "this"));
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.add("p" + i);
            known.add("a" + i);
            if (names != null) {
                known.add(names[i]);
            }
        }
        used.removeAll(known);
        if (!used.isEmpty()) {
            throw new IllegalArgumentException(
                    "the name \"" + template + "\" uses #" + used.iterator().next()
                            + ", but the method "
                            + (method.getParameterCount() == 0
                                    ? "has no parameters"
                                    : names == null
                                            ? "was compiled without the names of its parameters: compile with -parameters, or write #p0"
                                            : "has the parameters #" + String.join(", #", names)));
        }
    }

    private static void collect(SpelNode node, Set<String> used) {
        if (node instanceof VariableReference) {
            used.add(node.toStringAST().substring(1));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), used);
        }
    }
}
