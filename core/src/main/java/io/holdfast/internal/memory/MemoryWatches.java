package io.holdfast.internal.memory;

import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who wants to know when a lock of an in-memory store becomes free. */
final class MemoryWatches {

    private record Watch(Object owner, Runnable changed) {}

    private final Map<String, List<Watch>> watches = new ConcurrentHashMap<>();

    Subscription add(String name, Object owner, Runnable changed) {
        Watch watch = new Watch(owner, changed);
        watches.compute(name, (unused, list) -> {
            List<Watch> all = list == null ? new CopyOnWriteArrayList<>() : list;
            all.add(watch);
            return all;
        });
        return () -> remove(name, watch);
    }

    /** Tells everybody; the answer is whether anybody but the owner was told. */
    boolean tell(String name, Object owner) {
        boolean others = false;
        for (Watch watch : watches.getOrDefault(name, List.of())) {
            watch.changed.run();
            others |= watch.owner != owner;
        }
        return others;
    }

    void removeAll(Object owner) {
        watches.forEach((name, list) ->
                list.stream().filter(watch -> watch.owner == owner).forEach(watch -> remove(name, watch)));
    }

    private void remove(String name, Watch watch) {
        watches.computeIfPresent(name, (unused, list) -> {
            list.remove(watch);
            return list.isEmpty() ? null : list;
        });
    }
}
