package io.holdfast.redis;

import java.util.List;

/**
 * What a script answered: a tag that says what happened, then what belongs to it; or a number alone, where a script says so
 * of what happens most.
 */
record Answer(List<Object> values) {

    boolean isNumberAlone() {
        return values.size() == 1 && values.get(0) instanceof Long;
    }

    int size() {
        return values.size();
    }

    String tag() {
        return text(0);
    }

    /** A number may come as one or, where a double would not be exact, as its digits. */
    long number(int index) {
        Object value = values.get(index);
        return value instanceof Long number ? number : Long.parseLong(value.toString());
    }

    String text(int index) {
        return String.valueOf(values.get(index));
    }

    long numberIfAny(int index) {
        return values.size() > index ? number(index) : 0;
    }

    List<String> textsIfAny(int index) {
        return values.size() > index ? texts(index) : List.of();
    }

    List<String> texts(int index) {
        return ((List<?>) values.get(index)).stream().map(String::valueOf).toList();
    }
}
