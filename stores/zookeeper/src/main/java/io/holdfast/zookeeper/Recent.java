package io.holdfast.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was last used, as much of it as there is room for. To have forgotten something costs time and nothing else. */
final class Recent<V> {

    private final Map<String, V> values;

    Recent(int room) {
        this.values = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > room;
            }
        };
    }

    synchronized @Nullable V get(String key) {
        return values.get(key);
    }

    synchronized boolean has(String key) {
        return values.containsKey(key);
    }

    synchronized int size() {
        return values.size();
    }

    synchronized void put(String key, V value) {
        values.put(key, value);
    }

    synchronized void remove(String key) {
        values.remove(key);
    }
}
