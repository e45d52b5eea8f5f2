package io.holdfast.internal.memory;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.support.Notification;
import io.holdfast.spi.support.Notification.GrantedOnRelease;
import io.holdfast.spi.support.Notification.RevocationRequested;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The watchers of an in-memory store, and the listeners of its clients. */
final class MemoryWatches {

    private record Watch(Object owner, Runnable changed) {}

    private record Listener(Object owner, ClaimListener claims) {}

    private final Map<Resource, List<Watch>> watches = new ConcurrentHashMap<>();
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    Subscription add(Resource key, Object owner, Runnable changed) {
        Watch watch = new Watch(owner, changed);
        watches.compute(key, (unused, list) -> {
            List<Watch> all = list == null ? new CopyOnWriteArrayList<>() : list;
            all.add(watch);
            return all;
        });
        return () -> remove(key, watch);
    }

    Subscription subscribe(String client, Object owner, ClaimListener claims) {
        Listener listener = new Listener(owner, claims);
        listeners.put(client, listener);
        return () -> listeners.remove(client, listener);
    }

    /** Tells all watchers; the answer is whether one of another client was told. */
    boolean tell(Resource key, Object owner) {
        boolean others = false;
        for (Watch watch : watches.getOrDefault(key, List.of())) {
            watch.changed.run();
            others |= watch.owner != owner;
        }
        return others;
    }

    void deliver(List<Notification> notifications) {
        for (Notification notification : notifications) {
            Listener listener = listeners.get(notification.claim().client());
            if (listener != null) {
                deliver(notification, listener.claims);
            }
        }
    }

    private static void deliver(Notification notification, ClaimListener listener) {
        String id = notification.claim().id();
        if (notification instanceof GrantedOnRelease granted) {
            listener.granted(id, granted.ticket(), granted.grant());
        } else if (notification instanceof RevocationRequested) {
            listener.revocationRequested(id);
        } else {
            listener.turnReached(id);
        }
    }

    void removeAll(Object owner) {
        watches.forEach((key, list) ->
                list.stream().filter(watch -> watch.owner == owner).forEach(watch -> remove(key, watch)));
        listeners.values().removeIf(listener -> listener.owner == owner);
    }

    private void remove(Resource key, Watch watch) {
        watches.computeIfPresent(key, (unused, list) -> {
            list.remove(watch);
            return list.isEmpty() ? null : list;
        });
    }
}
