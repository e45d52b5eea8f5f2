package io.holdfast.demo;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a worker says to the demo: a line with a word and its details.
 *
 * @param word what happened
 * @param details more on it
 */
record Report(String word, List<String> details) {

    /** Says it, in the worker. */
    static void say(String word, Object... details) {
        String line = Stream.concat(Stream.of(word), Arrays.stream(details).map(String::valueOf))
                .map(text -> text.replaceAll("\\s+", " "))
                .collect(Collectors.joining("\t"));
        System.out.println(line);
        System.out.flush();
    }

    /** Understands it, in the demo. */
    static Report parse(String line) {
        List<String> parts = List.of(line.split("\t"));
        return new Report(parts.get(0), parts.subList(1, parts.size()));
    }

    boolean is(String word) {
        return this.word.equals(word);
    }

    String detail(int index) {
        return details.get(index);
    }

    long number(int index) {
        return Long.parseLong(detail(index));
    }

    @Override
    public String toString() {
        return word + " " + String.join(" ", details);
    }
}
