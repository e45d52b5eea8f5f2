package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
            Keys keys = Keys.of(name);
            assertEquals(Keys.slot(keys.lock()), Keys.slot(keys.record()), name);
            if (!name.startsWith("holdfast:")) {
                assertEquals(name, keys.lock());
            }
            assertEquals(name, Keys.nameOf(keys.lock()));
            assertNull(Keys.nameOf(keys.record()));
        }
    }

    @Test
    @DisplayName("no key of one name is a key of another")
    void noCollisions() {
        Map<String, String> owners = new HashMap<>();
        for (String name : names()) {
            Keys keys = Keys.of(name);
            for (String key : List.of(keys.lock(), keys.record())) {
                String other = owners.put(key, name);
                assertTrue(other == null || other.equals(name), () -> name + " and " + other + " share " + key);
            }
        }
    }

    @Test
    @DisplayName("the channel is Redisson's")
    void channel() {
        for (String name : names()) {
            assertEquals(
                    RedissonObject.prefixName("redisson_lock__channel", name),
                    Keys.of(name).channel());
        }
    }

    @Test
    @DisplayName("plain names have plain keys")
    void plain() {
        assertEquals(
                new Keys("orders:42", "holdfast:lock:{orders:42}", "redisson_lock__channel:{orders:42}"),
                Keys.of("orders:42"));
        assertEquals(
                new Keys("{o}:42", "holdfast:lock:{o}:{o}:42", "redisson_lock__channel:{o}:42"), Keys.of("{o}:42"));
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
