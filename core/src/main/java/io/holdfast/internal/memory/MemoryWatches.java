package io.holdfast.internal.memory;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.support.Notification;
import io.holdfast.spi.support.Notification.GrantedOnRelease;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who wants to know when something in an in-memory store changes, and whose claims are to be called. */
final class MemoryWatches {

    private record Key(ResourceType kind, String name) {}

    private record Watch(Object owner, Runnable changed) {}

    private record Listener(Object owner, ClaimListener called) {}

    private final Map<Key, List<Watch>> watches = new ConcurrentHashMap<>();
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    Subscription add(ResourceType kind, String name, Object owner, Runnable changed) {
        Key key = new Key(kind, name);
        Watch watch = new Watch(owner, changed);
        watches.compute(key, (unused, list) -> {
            List<Watch> all = list == null ? new CopyOnWriteArrayList<>() : list;
            all.add(watch);
            return all;
        });
        return () -> remove(key, watch);
    }

    Subscription listen(String client, Object owner, ClaimListener called) {
        Listener listener = new Listener(owner, called);
        listeners.put(client, listener);
        return () -> listeners.remove(client, listener);
    }

    /** Tells everybody; the answer is whether anybody but the owner was told. */
    boolean tell(ResourceType kind, String name, Object owner) {
        boolean others = false;
        for (Watch watch : watches.getOrDefault(new Key(kind, name), List.of())) {
            watch.changed.run();
            others |= watch.owner != owner;
        }
        return others;
    }

    void deliver(List<Notification> notifications) {
        for (Notification notification : notifications) {
            Listener listener = listeners.get(notification.claim().client());
            if (listener != null) {
                deliver(notification, listener.called);
            }
        }
    }

    private static void deliver(Notification notification, ClaimListener listener) {
        String id = notification.claim().id();
        if (notification instanceof GrantedOnRelease granted) {
            listener.granted(id, granted.ticket(), granted.grant());
        } else {
            listener.called(id);
        }
    }

    void removeAll(Object owner) {
        watches.forEach((key, list) ->
                list.stream().filter(watch -> watch.owner == owner).forEach(watch -> remove(key, watch)));
        listeners.values().removeIf(listener -> listener.owner == owner);
    }

    private void remove(Key key, Watch watch) {
        watches.computeIfPresent(key, (unused, list) -> {
            list.remove(watch);
            return list.isEmpty() ? null : list;
        });
    }
}
