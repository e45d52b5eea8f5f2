package io.holdfast.cli;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts, numbers and truth values as JSON in one line. */
final class Json {

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String write(@Nullable Object value) {
        Json json = new Json();
        json.value(value);
        return json.out.toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            members(map.entrySet().iterator(), '{', '}');
        } else if (value instanceof Iterable<?> list) {
            members(list.iterator(), '[', ']');
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            out.append(value);
        } else {
            text(value.toString());
        }
    }

    private void members(Iterator<?> members, char open, char close) {
        out.append(open);
        String separator = "";
        while (members.hasNext()) {
            out.append(separator);
            separator = ",";
            Object member = members.next();
            if (member instanceof Map.Entry<?, ?> entry) {
                text(String.valueOf(entry.getKey()));
                out.append(':');
                value(entry.getValue());
            } else {
                value(member);
            }
        }
        out.append(close);
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
                default -> {
                    if (Character.isISOControl(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
