package io.holdfast.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON as strictly as its definition says, so that a test sees what a program would. */
final class JsonReader {

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        reader.blank();
        if (reader.at != text.length()) {
            throw reader.wrong("the end");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        return (Map<String, Object>) read(text);
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(Object list) {
        return (List<Map<String, Object>>) list;
    }

    private Object value() {
        blank();
        char c = peek();
        if (c == '{') {
            Map<String, Object> members = new LinkedHashMap<>();
            members('}', () -> {
                String name = string();
                blank();
                expect(':');
                members.put(name, value());
            });
            return members;
        }
        if (c == '[') {
            List<Object> members = new ArrayList<>();
            members(']', () -> members.add(value()));
            return members;
        }
        if (c == '"') {
            return string();
        }
        for (String word : List.of("true", "false", "null")) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("null") ? null : Boolean.valueOf(word);
            }
        }
        int start = at;
        while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return new BigDecimal(text.substring(start, at)).longValueExact();
    }

    private void members(char close, Runnable member) {
        at++;
        blank();
        if (peek() != close) {
            do {
                blank();
                member.run();
                blank();
            } while (skip(','));
        }
        expect(close);
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw wrong("no control character");
            }
            if (c == '\\') {
                char escaped = text.charAt(at++);
                int known = "nrt\"\\/".indexOf(escaped);
                if (escaped == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else if (known >= 0) {
                    string.append("\n\r\t\"\\/".charAt(known));
                } else {
                    throw wrong("an escape");
                }
            } else {
                string.append(c);
            }
        }
        at++;
        return string.toString();
    }

    private boolean skip(char c) {
        boolean there = peek() == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private void blank() {
        while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("expected " + expected + " at " + at + " of " + text);
    }
}
