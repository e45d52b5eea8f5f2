package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the processes of {@link FailoverTest} wrote down, put together. */
final class FailoverLog {

    /** From when to when somebody believed to have a lock. */
    record Hold(String name, long from, long to, boolean lost, long token) {}

    private final Map<Path, Long> read = new HashMap<>();
    private final List<Hold> holds = new ArrayList<>();
    private final Map<String, Integer> failures = new TreeMap<>();

    /** Reads what has been written since the last time; a line that is not complete yet is left for the next. */
    void readOn(Path file) throws IOException {
        long from = read.getOrDefault(file, 0L);
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(from);
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            int end = text.lastIndexOf('\n') + 1;
            text.substring(0, end).lines().forEach(this::add);
            read.put(file, from + end);
        }
        holds.sort(Comparator.comparingLong(Hold::from));
    }

    private void add(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("held")) {
            holds.add(new Hold(
                    words[1],
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    words[4].equals("lost"),
                    Long.parseLong(words[5])));
        } else if (words[0].equals("failed")) {
            failures.merge(words[2], 1, Integer::sum);
        }
    }

    int grants() {
        return holds.size();
    }

    long toldLost() {
        return holds.stream().filter(Hold::lost).count();
    }

    Map<String, Integer> failures() {
        return failures;
    }

    /** Holds that began while another of the same name was believed in. */
    List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        Map<String, Hold> last = new HashMap<>();
        for (Hold hold : holds) {
            Hold before = last.get(hold.name);
            if (before != null && hold.from < before.to) {
                overlaps.add(hold.name + ": by " + (before.to - hold.from) / 1_000 + " us, tokens " + before.token
                        + " and " + hold.token);
            }
            if (before == null || hold.to > before.to) {
                last.put(hold.name, hold);
            }
        }
        return overlaps;
    }

    /** Holds whose token is not greater than that of one before it. */
    List<String> fallenTokens() {
        List<String> fallen = new ArrayList<>();
        Map<String, Hold> highest = new HashMap<>();
        for (Hold hold : holds) {
            Hold before = highest.get(hold.name);
            if (before != null && hold.token <= before.token) {
                fallen.add(hold.name + ": " + hold.token + " after " + before.token);
            } else {
                highest.put(hold.name, hold);
            }
        }
        return fallen;
    }

    /** How long after that moment the next grant of one of these names was, in milliseconds; -1 if there was none. */
    long firstGrantAfter(long nanos, Set<String> names) {
        return holds.stream()
                .filter(hold -> hold.from > nanos && names.contains(hold.name))
                .findFirst()
                .map(hold -> (hold.from - nanos) / 1_000_000)
                .orElse(-1L);
    }
}
