package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Commands to ZooKeeper as futures, over whichever session there is. They are sent in the order in which they are called,
 * and never twice. It knows nothing of locks.
 */
final class Session {

    /** What a listing showed. */
    record Children(List<String> names, Stat stat) {}

    /** What a node holds. */
    record Data(String text, Stat stat) {}

    static final byte[] NOTHING = {};

    private final Connection connection;
    private final List<ACL> acl;
    private final List<Runnable> begun = new CopyOnWriteArrayList<>();
    private volatile @Nullable ZooKeeper last;

    /**
     * @param connect makes the connection; what it is given runs when a session has ended by itself
     * @param acl what new nodes get
     */
    Session(Function<Runnable, Connection> connect, List<ACL> acl) {
        this.connection = connect.apply(this::client);
        this.acl = acl;
    }

    /** Runs when there is a session that has none of the watches and ephemeral nodes of the one before. */
    void whenBegun(Runnable listener) {
        begun.add(listener);
    }

    /** Begins to connect, so that the first command need not. */
    void connect() {
        client();
    }

    void close() {
        connection.close();
    }

    private ZooKeeper any() {
        client();
        return connection.anyClient();
    }

    private ZooKeeper client() {
        ZooKeeper client = connection.client();
        if (client != last) {
            boolean first;
            synchronized (this) {
                if (client == last) {
                    return client;
                }
                first = last == null;
                last = client;
            }
            if (!first) {
                begun.forEach(Runnable::run);
            }
        }
        return client;
    }

    // ---- operations of a transaction ----------------------------------------------------------------------------

    Op make(String path, byte[] data, CreateMode mode) {
        return Op.create(path, data, acl, mode);
    }

    /** A node that goes by itself some time after its last child; its creation tells the transaction. */
    Op makeContainer(String path) {
        return Op.create(path, NOTHING, acl, CreateMode.CONTAINER);
    }

    /** A change of the node for its version's sake; it tells the transaction. */
    static Op touch(String path, int version) {
        return Op.setData(path, NOTHING, version);
    }

    /** The number of the transaction that has these results. */
    static long zxid(List<OpResult> results) {
        for (OpResult result : results) {
            if (result instanceof OpResult.CreateResult made && made.getStat() != null) {
                return made.getStat().getCzxid();
            }
            if (result instanceof OpResult.SetDataResult set) {
                return set.getStat().getMzxid();
            }
        }
        throw new IllegalStateException("a transaction that tells no number");
    }

    // ---- commands -----------------------------------------------------------------------------------------------

    CompletableFuture<List<OpResult>> multi(List<Op> ops) {
        CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
        any().multi(ops, (rc, path, context, results) -> complete(answer, rc, path, results), null);
        return answer;
    }

    /** Makes a node; its path comes back, with the sequence if it has one. */
    CompletableFuture<String> create(String path, byte[] data, CreateMode mode) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        (mode.isEphemeral() ? client() : any())
                .create(path, data, acl, mode, (rc, asked, context, made) -> complete(answer, rc, asked, made), null);
        return answer;
    }

    /** Makes a node that stays, and those above it that are missing. */
    CompletableFuture<Void> createAll(String path) {
        CompletableFuture<Void> made =
                create(path, NOTHING, CreateMode.PERSISTENT).thenApply(unused -> null);
        return Errors.unless(made, code -> switch (code) {
            case NODEEXISTS -> CompletableFuture.completedFuture(null);
            case NONODE -> createAll(parent(path)).thenCompose(unused -> createAll(path));
            default -> null;
        });
    }

    CompletableFuture<Stat> set(String path, byte[] data, int version) {
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        any().setData(path, data, version, (rc, asked, context, stat) -> complete(answer, rc, asked, stat), null);
        return answer;
    }

    CompletableFuture<Void> delete(String path, int version) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        any().delete(path, version, (rc, asked, context) -> complete(answer, rc, asked, null), null);
        return answer;
    }

    CompletableFuture<Data> data(String path) {
        return data(path, null);
    }

    CompletableFuture<Data> data(String path, @Nullable Watcher watcher) {
        CompletableFuture<Data> answer = new CompletableFuture<>();
        (watcher == null ? any() : client())
                .getData(
                        path,
                        watcher,
                        (rc, asked, context, data, stat) -> complete(answer, rc, asked, new Data(text(data), stat)),
                        null);
        return answer;
    }

    CompletableFuture<Children> children(String path) {
        return children(path, null);
    }

    /** @param watcher hears once when a child comes or goes, or the node itself goes; not of data */
    CompletableFuture<Children> children(String path, @Nullable Watcher watcher) {
        CompletableFuture<Children> answer = new CompletableFuture<>();
        (watcher == null ? any() : client())
                .getChildren(
                        path,
                        watcher,
                        (rc, asked, context, names, stat) -> complete(answer, rc, asked, new Children(names, stat)),
                        null);
        return answer;
    }

    /** What is read from now on includes all that anybody was told of before. It costs no wait of its own. */
    void catchUp(String path) {
        any().sync(path, (rc, asked, context) -> {}, null);
    }

    CompletableFuture<Void> addWatch(String path, Watcher watcher, AddWatchMode mode) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        client().addWatch(path, watcher, mode, (rc, asked, context) -> complete(answer, rc, asked, null), null);
        return answer;
    }

    void removeWatches(String path) {
        client().removeAllWatches(path, Watcher.WatcherType.Any, true, (rc, asked, context) -> {}, null);
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** What a callback brings is null only beside a failure, or where nothing is wanted. */
    private static <T> void complete(CompletableFuture<T> answer, int rc, String path, @Nullable T value) {
        if (rc == Code.OK.intValue()) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure(rc, path));
        }
    }

    /** Not every code has an exception, and a server may know more codes than this client. */
    private static Exception failure(int rc, String path) {
        try {
            return KeeperException.create(Code.get(rc), path);
        } catch (IllegalArgumentException | NullPointerException e) {
            return new StoreRefusedException(
                    "ZooKeeper answered with code " + rc + ", which its client does not know", false);
        }
    }
}
