package io.holdfast.hazelcast;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryMergedListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One watched key and its listener at the cluster, which is replaced by a new one whenever events may have been lost. */
final class WatchedKey
        implements EntryAddedListener<String, String>,
                EntryUpdatedListener<String, String>,
                EntryRemovedListener<String, String>,
                EntryMergedListener<String, String> {

    private final Watching watching;
    private final String key;
    private final Consumer<@Nullable String> changed;
    private final Runnable resync;
    private final ReentrantLock placing = new ReentrantLock();
    private @Nullable UUID placed;
    private volatile boolean ended;

    WatchedKey(Watching watching, String key, Consumer<@Nullable String> changed, Runnable resync) {
        this.watching = watching;
        this.key = key;
        this.changed = changed;
        this.resync = resync;
    }

    /** Places it on a thread of the register, and again a moment later if that fails. */
    void place() {
        watching.call(this::placeNow).whenComplete((done, failure) -> {
            if (ended || watching.isClosed()) {
                return;
            }
            if (failure == null) {
                resync.run();
            } else {
                watching.later(this::place);
            }
        });
    }

    /** The new listener is in place before the old one goes: an event may come twice, and none is missed in between. */
    private Boolean placeNow() throws InterruptedException {
        placing.lock();
        try {
            if (!ended) {
                @Nullable UUID before = placed;
                placed = watching.connectedMap().addEntryListener(this, key, true);
                if (before != null) {
                    watching.connectedMap().removeEntryListener(before);
                }
            }
            return true;
        } finally {
            placing.unlock();
        }
    }

    void end() {
        ended = true;
        watching.call(() -> {
            removeNow();
            return true;
        });
    }

    void removeNow() {
        ended = true;
        placing.lock();
        try {
            @Nullable UUID before = placed;
            placed = null;
            if (before != null) {
                watching.map().removeEntryListener(before);
            }
        } finally {
            placing.unlock();
        }
    }

    @Override
    public void entryAdded(EntryEvent<String, String> event) {
        heard(event.getValue());
    }

    @Override
    public void entryUpdated(EntryEvent<String, String> event) {
        heard(event.getValue());
    }

    @Override
    public void entryMerged(EntryEvent<String, String> event) {
        heard(event.getValue());
    }

    @Override
    public void entryRemoved(EntryEvent<String, String> event) {
        heard(null);
    }

    private void heard(@Nullable String value) {
        if (!ended && !watching.isClosed()) {
            changed.accept(value);
        }
    }
}
