package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.RedissonObject;

class KeysTest {

    private static final List<String> ODD = List.of(
            "a",
            "{}",
            "a{}b",
            "}{",
            "{a}b",
            "{{a}",
            "{a}",
            "{",
            "}",
            "a{",
            "a}",
            "{}{a}",
            "a}b{c}",
            "{{}}",
            "{a}{b}",
            "}}{{",
            "🔒",
            "{🔒}x",
            "x{🔒",
            "a b",
            " ",
            "%",
            "%7B",
            "/../",
            "\\",
            "a*b?[c]^-d",
            "\n",
            "ä{ö}ü",
            "holdfast:lock:{a}",
            "holdfast:lock:a",
            "holdfast:hash:{a}",
            "holdfast:hash:{a}:{a}",
            "holdfast:",
            "holdfast:hash:{holdfast:lock:{a}}",
            "redisson_lock__channel:{a}",
            "123",
            "{123}:}{",
            "{1}:{");

    @Test
    @DisplayName("the keys of a name are in one slot, and the lock's is the name itself")
    void sameSlot() {
        for (String name : names()) {
            for (String key : all(name)) {
                assertEquals(Keys.slot(name.startsWith("holdfast:") ? all(name).get(0) : name), Keys.slot(key), name);
            }
            Keys keys = Keys.of(ResourceType.LOCK, name);
            if (!name.startsWith("holdfast:")) {
                assertEquals(name, keys.holders());
            }
            assertEquals(name, Keys.nameOf(ResourceType.LOCK, keys.holders()));
            assertNull(Keys.nameOf(ResourceType.LOCK, keys.record()));
            Keys semaphore = Keys.of(ResourceType.SEMAPHORE, name);
            assertEquals(name, Keys.nameOf(ResourceType.SEMAPHORE, semaphore.holders()));
            assertNull(Keys.nameOf(ResourceType.LOCK, semaphore.holders()));
            assertNull(Keys.nameOf(ResourceType.SEMAPHORE, semaphore.record()));
        }
    }

    @Test
    @DisplayName("no key of one name is a key of another, nor of the same name's lock, semaphore or latch")
    void noCollisions() {
        Map<String, String> owners = new HashMap<>();
        for (String name : Set.copyOf(names())) {
            for (String key : all(name)) {
                String other = owners.put(key, name);
                assertNull(other, () -> name + " and " + other + " share " + key);
            }
        }
    }

    @Test
    @DisplayName("the channel of a lock is Redisson's")
    void channel() {
        for (String name : names()) {
            assertEquals(
                    RedissonObject.prefixName("redisson_lock__channel", name),
                    Keys.of(ResourceType.LOCK, name).channel());
        }
    }

    @Test
    @DisplayName("plain names have plain keys")
    void plain() {
        assertEquals(
                List.of(
                        "orders:42",
                        "holdfast:lock:{orders:42}",
                        "holdfast:ends:{orders:42}",
                        "holdfast:queue:{orders:42}",
                        "holdfast:claims:{orders:42}"),
                List.of(Keys.of(ResourceType.LOCK, "orders:42").line()));
        assertEquals(
                "redisson_lock__channel:{orders:42}",
                Keys.of(ResourceType.LOCK, "orders:42").channel());
        assertEquals(
                "holdfast:semaphore:{orders:42}",
                Keys.of(ResourceType.SEMAPHORE, "orders:42").holders());
        assertEquals("{o}:42", Keys.of(ResourceType.LOCK, "{o}:42").holders());
        assertEquals(
                "holdfast:lock:{o}:{o}:42", Keys.of(ResourceType.LOCK, "{o}:42").record());
        assertEquals(
                "redisson_lock__channel:{o}:42",
                Keys.of(ResourceType.LOCK, "{o}:42").channel());
    }

    private static List<String> all(String name) {
        List<String> keys =
                new ArrayList<>(List.of(Keys.of(ResourceType.LOCK, name).line()));
        keys.addAll(List.of(Keys.of(ResourceType.SEMAPHORE, name).line()));
        keys.add(Keys.own("permits-changes", name));
        keys.add(Keys.own("latch", name));
        keys.add(Keys.own("latch-counted", name));
        return keys;
    }

    /** The odd ones, and heaps of what is made of the same characters. */
    private static List<String> names() {
        List<String> names = new ArrayList<>(ODD);
        Random random = new Random(42);
        String[] parts = {"{", "}", "{", "}", "a", "b", ":", "1", "holdfast:", "hash:", "lock:", "🔒"};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int length = 1 + random.nextInt(9); length > 0; length--) {
                name.append(parts[random.nextInt(parts.length)]);
            }
            names.add(name.toString());
        }
        return names;
    }
}
