package io.holdfast.bench.report;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts and numbers as JSON; enough for one file that other programs read. */
final class Json {

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String write(Object value) {
        Json json = new Json();
        json.value(value, "\n");
        return json.out.append('\n').toString();
    }

    private void value(@Nullable Object value, String line) {
        if (value instanceof Map<?, ?> map) {
            members(map.entrySet().iterator(), '{', '}', line);
        } else if (value instanceof Iterable<?> list) {
            members(list.iterator(), '[', ']', line);
        } else if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
            out.append("null");
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            out.append(value);
        } else {
            text(value.toString());
        }
    }

    private void members(Iterator<?> members, char open, char close, String line) {
        out.append(open);
        String inner = line + "  ";
        boolean any = false;
        while (members.hasNext()) {
            out.append(any ? "," : "").append(inner);
            any = true;
            Object member = members.next();
            if (member instanceof Map.Entry<?, ?> entry) {
                text(String.valueOf(entry.getKey()));
                out.append(": ");
                value(entry.getValue(), inner);
            } else {
                value(member, inner);
            }
        }
        out.append(any ? line : "").append(close);
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        out.append('"');
    }
}
