package io.holdfast.spring;

import io.holdfast.spi.Messages;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The name of a lock as {@link WithLock#name()} has it: literal text, and expressions in braces. */
final class NameTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    /** Literal text, or an expression. */
    private record Part(String text, @Nullable Expression expression) {}

    private final String template;
    private final List<Part> parts;

    private NameTemplate(String template, List<Part> parts) {
        this.template = template;
        this.parts = parts;
    }

    /** @throws IllegalArgumentException if the template is malformed */
    static NameTemplate parse(String template) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < template.length()) {
            char c = template.charAt(i);
            boolean twice = i + 1 < template.length() && template.charAt(i + 1) == c;
            if ((c == '{' || c == '}') && twice) {
                literal.append(c);
                i += 2;
            } else if (c == '}') {
                throw malformed(
                        template,
                        "has a closing brace at position " + i
                                + " without an opening one; two stand for a literal one");
            } else if (c == '{') {
                if (!literal.isEmpty() && literal.charAt(literal.length() - 1) == '#') {
                    throw malformed(template, "has '#{'; an expression is written {#id}, not #{#id}");
                }
                int end = end(template, i + 1);
                if (!literal.isEmpty()) {
                    parts.add(new Part(literal.toString(), null));
                    literal.setLength(0);
                }
                parts.add(expression(template, template.substring(i + 1, end).strip()));
                i = end + 1;
            } else {
                literal.append(c);
                i++;
            }
        }
        if (!literal.isEmpty()) {
            parts.add(new Part(literal.toString(), null));
        }
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(
                    "the name of a lock must not be empty; write for instance \"report\" or \"order:{#id}\"");
        }
        return new NameTemplate(template, List.copyOf(parts));
    }

    private static Part expression(String template, String text) {
        if (text.isEmpty()) {
            throw malformed(template, "has an empty expression; two braces stand for a literal one");
        }
        try {
            return new Part(text, PARSER.parseExpression(text));
        } catch (ParseException | IllegalStateException e) {
            throw new IllegalArgumentException(
                    "the name \"" + Messages.line(template) + "\" has the expression {" + Messages.line(text)
                            + "}, which is no SpEL expression: " + e.getMessage(),
                    e);
        }
    }

    /** Where the expression ends that begins there: at the brace that closes it, outside of text in quotes. */
    private static int end(String template, int begin) {
        int depth = 0;
        char quote = 0;
        for (int i = begin; i < template.length(); i++) {
            char c = template.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && depth-- == 0) {
                return i;
            }
        }
        throw malformed(
                template,
                "has an opening brace at position " + (begin - 1) + " that is not closed; two stand for a literal one");
    }

    private static IllegalArgumentException malformed(String template, String what) {
        return new IllegalArgumentException("the name \"" + Messages.line(template) + "\" of a lock " + what);
    }

    /** The expressions, for checks at the start. */
    List<SpelExpression> expressions() {
        return parts.stream()
                .map(Part::expression)
                .filter(SpelExpression.class::isInstance)
                .map(SpelExpression.class::cast)
                .toList();
    }

    /**
     * The name.
     *
     * @throws IllegalArgumentException if an expression gives {@code null}, an empty text, or what has no text of its own
     */
    String evaluate(EvaluationContext context, Method method) {
        if (parts.size() == 1 && parts.get(0).expression() == null) {
            return parts.get(0).text();
        }
        StringBuilder name = new StringBuilder();
        for (Part part : parts) {
            Expression expression = part.expression();
            if (expression == null) {
                name.append(part.text());
            } else {
                Object value = expression.getValue(context);
                name.append(text(value, part.text(), method));
            }
        }
        return name.toString();
    }

    private String text(@Nullable Object value, String expression, Method method) {
        if (value == null) {
            throw refused(expression, method, "null, so different calls would share one lock");
        }
        if (value.getClass().isArray() || hasNoText(value)) {
            throw refused(
                    expression,
                    method,
                    "a " + value.getClass().getTypeName() + ", which has no text that is the same in every process;"
                            + " name one of its properties");
        }
        String text = value.toString();
        if (text == null || text.isEmpty()) {
            throw refused(expression, method, "an empty text, so different calls would share one lock");
        }
        return text;
    }

    /** Whether its text is its class and its address. */
    private static boolean hasNoText(Object value) {
        try {
            return value.getClass().getMethod("toString").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private IllegalArgumentException refused(String expression, Method method, String what) {
        return new IllegalArgumentException("the name \"" + Messages.line(template) + "\" of the lock of "
                + Definitions.label(method) + ": {" + Messages.line(expression) + "} is " + what);
    }

    @Override
    public String toString() {
        return template;
    }
}
