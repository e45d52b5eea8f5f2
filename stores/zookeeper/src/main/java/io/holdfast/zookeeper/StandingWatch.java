package io.holdfast.zookeeper;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * A watch on a node, whether that exists or not, which stays until it is over: it is placed anew in every session, and
 * again where that failed.
 */
abstract class StandingWatch implements Watcher {

    private static final long RETRY_MILLIS = 200;

    final String path;
    private final Session session;
    private final AddWatchMode mode;

    StandingWatch(Session session, String path, AddWatchMode mode) {
        this.session = session;
        this.path = path;
        this.mode = mode;
    }

    /** Whether it has no watcher any more. */
    abstract boolean isOver();

    /** Everything is heard from now on; what happened before may not have been. */
    abstract void inPlace();

    /** Something happened to a node. */
    abstract void heard(WatchedEvent event);

    final void place() {
        if (isOver()) {
            return;
        }
        session.addWatch(path, this, mode).whenComplete((unused, failure) -> {
            if (failure != null) {
                CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                        .execute(this::place);
            } else if (!isOver()) {
                inPlace();
            }
        });
    }

    final void end() {
        session.removeWatches(path);
    }

    @Override
    public final void process(WatchedEvent event) {
        if (isOver()) {
            return;
        }
        if (event.getType() != Event.EventType.None) {
            heard(event);
        } else if (event.getState() == Event.KeeperState.SyncConnected) {
            inPlace(); // the connection had broken
        }
    }
}
