package io.holdfast.redis;

import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where the claims of a name are kept: see line.lua. The keys of one name are in one slot of a cluster, and no key or
 * channel of Holdfast's own is that of another name, or of a name of another kind.
 *
 * <p>They are made when they are asked for: most claims need three of them.
 *
 * @param before what stands before the name in a key that is in the slot of the name, and is that of no other name
 * @param after what stands behind it there
 */
record Keys(ResourceType kind, String name, String before, String after) {

    private static final String OWN = "holdfast:";
    private static final String SEMAPHORE = OWN + "semaphore:";

    /** For names that could be a key of Holdfast's own; Redisson would not find these. */
    private static final String MOVED = OWN + "hash:";

    private static final String CHANNEL = "redisson_lock__channel:";

    /** Those of a lock or a semaphore. */
    static Keys of(Resource resource) {
        return of(resource.type(), resource.name());
    }

    static Keys of(ResourceType kind, String name) {
        if (kind == ResourceType.LATCH) {
            throw new IllegalArgumentException("a latch is not claimed");
        }
        // Redis takes what stands between the first { and the next }, unless that is nothing.
        int open = name.indexOf('{');
        if (open < 0 && name.indexOf('}') < 0) {
            return new Keys(kind, name, "{", "}");
        }
        int close = open < 0 ? -1 : name.indexOf('}', open + 1);
        String tag = close > open + 1 ? name.substring(open + 1, close) : SlotTags.of(slot(name));
        return new Keys(kind, name, "{" + tag + "}:", "");
    }

    /** The hash of those who hold; for a lock the name itself, as Redisson has it, so that both see the same lock. */
    String holders() {
        if (kind == ResourceType.SEMAPHORE) {
            return SEMAPHORE + before + name + after;
        }
        return name.startsWith(OWN) ? MOVED + before + name + after : name;
    }

    /** What Holdfast keeps of the name beside it. */
    String record() {
        return key("lock:", "permits:");
    }

    String ends() {
        return key("ends:", "permits-ends:");
    }

    String queue() {
        return key("queue:", "permits-queue:");
    }

    String claims() {
        return key("claims:", "permits-claims:");
    }

    private String key(String ofLock, String ofSemaphore) {
        return OWN + (kind == ResourceType.LOCK ? ofLock : ofSemaphore) + before + name + after;
    }

    /**
     * Where it is told that nobody holds it any more. For a lock by Redisson's rule, by which {@code a} and {@code {a}}
     * share one: a message is only a hint to look.
     */
    String channel() {
        if (kind == ResourceType.SEMAPHORE) {
            return OWN + "semaphore-channel:" + before + name + after;
        }
        return name.contains("{") ? CHANNEL + name : CHANNEL + "{" + name + "}";
    }

    /** A key for what else is kept of a name. */
    static String own(String what, String name) {
        Keys its = of(ResourceType.LOCK, name);
        return OWN + what + ":" + its.before + name + its.after;
    }

    /** A key for what is kept of a server, in a slot that it keeps; less than 0 where there are no slots. */
    static String ofSlot(String what, int slot) {
        return slot < 0 ? OWN + what : OWN + what + ":{" + SlotTags.of(slot) + "}";
    }

    /** The channel on which the waiting claims of a client are called; the scripts know it as well. */
    static String calls(String client) {
        return OWN + "calls:" + client;
    }

    /**
     * {@link #channel()}, or one that is in the slot of the name where that is not: the braces of some names mean something
     * else with something before them.
     */
    String channelInSlot() {
        String channel = channel();
        return kind != ResourceType.LOCK || slot(channel) == slot(holders())
                ? channel
                : OWN + "lock-channel:" + before + name + after;
    }

    /** Those that a plain lock needs as long as it is alone. */
    String[] plain() {
        return new String[] {holders(), record(), claims()};
    }

    /** In the order that the scripts expect. */
    String[] line() {
        return new String[] {holders(), record(), ends(), queue(), claims()};
    }

    /** The name whose holders are kept under a key, or {@code null} if it can't be one. */
    static @Nullable String nameOf(ResourceType kind, String key) {
        if (kind == ResourceType.LOCK && !key.startsWith(OWN)) {
            return key;
        }
        String base = kind == ResourceType.LOCK ? MOVED : SEMAPHORE;
        if (!key.startsWith(base + "{")) {
            return null;
        }
        int close = key.indexOf('}');
        if (close == key.length() - 1) {
            return key.substring(base.length() + 1, close);
        }
        return key.startsWith("}:", close) ? key.substring(close + 2) : null;
    }

    /** A pattern that every key does match whose name begins with the prefix; some others may, too. */
    static String pattern(ResourceType kind, String prefix) {
        if (kind == ResourceType.SEMAPHORE) {
            return SEMAPHORE + "{*";
        }
        return prefix.startsWith(OWN) ? MOVED + "*" : prefix.replaceAll("[\\\\*?\\[\\]^-]", "\\\\$0") + "*";
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
