package io.holdfast.zookeeper;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** A client that counts what the store asks by it, and what it is told. What it sends to keep its session is not counted. */
final class CountingClient extends ZooKeeper {

    /** What several clients have counted together. */
    static final class Counts {
        final AtomicInteger requests = new AtomicInteger();
        final AtomicInteger listings = new AtomicInteger();

        /** The names in all listings. */
        final AtomicInteger listed = new AtomicInteger();

        final AtomicInteger notifications = new AtomicInteger();

        @Override
        public String toString() {
            return requests + " requests, " + listings + " listings of " + listed + " names, " + notifications
                    + " notifications";
        }
    }

    private final Counts counts;

    CountingClient(String servers, Counts counts) throws IOException {
        super(servers, 2_000, event -> {});
        this.counts = counts;
    }

    private void asked() {
        counts.requests.incrementAndGet();
    }

    private @Nullable Watcher counted(@Nullable Watcher watcher) {
        return watcher == null ? null : new Counted(watcher);
    }

    /** Equal for the same watcher, as ZooKeeper expects of one that is set again. */
    private final class Counted implements Watcher {

        private final Watcher watcher;

        Counted(Watcher watcher) {
            this.watcher = watcher;
        }

        @Override
        public void process(org.apache.zookeeper.WatchedEvent event) {
            if (event.getType() != Event.EventType.None) {
                counts.notifications.incrementAndGet();
            }
            watcher.process(event);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Counted counted && counted.watcher.equals(watcher);
        }

        @Override
        public int hashCode() {
            return watcher.hashCode();
        }
    }

    @Override
    public void multi(Iterable<Op> ops, MultiCallback callback, Object context) {
        asked();
        super.multi(ops, callback, context);
    }

    @Override
    public void create(
            String path, byte[] data, List<ACL> acl, CreateMode mode, StringCallback callback, Object context) {
        asked();
        super.create(path, data, acl, mode, callback, context);
    }

    @Override
    public void delete(String path, int version, VoidCallback callback, Object context) {
        asked();
        super.delete(path, version, callback, context);
    }

    @Override
    public void setData(String path, byte[] data, int version, StatCallback callback, Object context) {
        asked();
        super.setData(path, data, version, callback, context);
    }

    @Override
    public void getData(String path, @Nullable Watcher watcher, DataCallback callback, Object context) {
        asked();
        super.getData(path, counted(watcher), callback, context);
    }

    @Override
    public void exists(String path, boolean watch, StatCallback callback, Object context) {
        asked();
        super.exists(path, watch, callback, context);
    }

    @Override
    public void getChildren(String path, @Nullable Watcher watcher, Children2Callback callback, Object context) {
        asked();
        Children2Callback counting = (rc, asked, same, names, stat) -> {
            if (names != null && !names.isEmpty()) { // a watch on a claim's node lists nothing
                counts.listings.incrementAndGet();
                counts.listed.addAndGet(names.size());
            }
            callback.processResult(rc, asked, same, names, stat);
        };
        super.getChildren(path, counted(watcher), counting, context);
    }

    @Override
    public void sync(String path, VoidCallback callback, Object context) {
        asked();
        super.sync(path, callback, context);
    }
}
