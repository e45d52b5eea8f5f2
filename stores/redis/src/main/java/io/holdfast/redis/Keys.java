package io.holdfast.redis;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where the lock of a name is kept. The keys of one name are in one slot of a cluster, and no key or channel of
 * Holdfast's own is that of another name.
 *
 * @param lock the hash that is the lock; the name itself, as Redisson has it, so that both see the same lock
 * @param record what Holdfast keeps beside it
 * @param channel where a release is told. Redisson's rule, by which {@code a} and {@code {a}} share one: a message is
 *     only a hint to look
 */
record Keys(String lock, String record, String channel) {

    private static final String OWN = "holdfast:";
    private static final String RECORD = OWN + "lock:";

    /** For names that could be the key of another name's record; Redisson would not find these. */
    private static final String MOVED = OWN + "hash:";

    private static final String CHANNEL = "redisson_lock__channel:";

    static Keys of(String name) {
        return new Keys(
                name.startsWith(OWN) ? tagged(MOVED, name) : name,
                tagged(RECORD, name),
                name.contains("{") ? CHANNEL + name : CHANNEL + "{" + name + "}");
    }

    /** The name whose lock is kept under a key, or {@code null} if it can't be one. */
    static @Nullable String nameOf(String key) {
        if (!key.startsWith(OWN)) {
            return key;
        }
        if (!key.startsWith(MOVED + "{")) {
            return null;
        }
        int close = key.indexOf('}');
        if (close == key.length() - 1) {
            return key.substring(MOVED.length() + 1, close);
        }
        return key.startsWith("}:", close) ? key.substring(close + 2) : null;
    }

    /** A pattern that every key does match whose name begins with the prefix; some others may, too. */
    static String pattern(String prefix) {
        return prefix.startsWith(OWN) ? MOVED + "*" : prefix.replaceAll("[\\\\*?\\[\\]^-]", "\\\\$0") + "*";
    }

    /** A key that begins with {@code base}, is in the slot of the name, and is that of no other name. */
    private static String tagged(String base, String name) {
        int open = name.indexOf('{');
        if (open < 0 && name.indexOf('}') < 0) {
            return base + "{" + name + "}";
        }
        int close = open < 0 ? -1 : name.indexOf('}', open + 1);
        // Redis takes what stands between the first { and the next }, unless that is nothing.
        String tag = close > open + 1 ? name.substring(open + 1, close) : SlotTags.of(slot(name));
        return base + "{" + tag + "}:" + name;
    }

    static int slot(String key) {
        return SlotHash.getSlot(key.getBytes(StandardCharsets.UTF_8));
    }

    /** For each slot a number that is in it, made when a name with odd braces first needs one. */
    private static final class SlotTags {

        private static final int[] NUMBERS = numbers();

        static String of(int slot) {
            return Integer.toString(NUMBERS[slot]);
        }

        private static int[] numbers() {
            int[] numbers = new int[SlotHash.SLOT_COUNT];
            int missing = numbers.length;
            for (int number = 1; missing > 0; number++) {
                int slot = slot(Integer.toString(number));
                if (numbers[slot] == 0) {
                    numbers[slot] = number;
                    missing--;
                }
            }
            return numbers;
        }
    }
}
