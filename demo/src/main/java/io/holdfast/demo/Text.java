package io.holdfast.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and lines as people read them. */
final class Text {

    private Text() {}

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f s", duration.toNanos() / 1e9);
    }

    static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }

    /** Breaks the text at spaces into lines of at most that width, each with the indent; a longer word stays whole. */
    static List<String> wrap(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && indent.length() + line.length() + 1 + word.length() > width) {
                lines.add(indent + line);
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(indent + line);
        return lines;
    }
}
