package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
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
    private final List<ACL> rootAcl;
    private final String root;
    private final List<Runnable> begun = new CopyOnWriteArrayList<>();
    private volatile @Nullable ZooKeeper last;

    /**
     * @param connect makes the connection; what it is given runs when a session has ended by itself
     * @param acl what the nodes of names get, and all below them
     * @param rootAcl what the root gets if it is missing
     * @param root the node below which everything is kept; what is between it and the names gets its access list
     */
    Session(Function<Runnable, Connection> connect, List<ACL> acl, List<ACL> rootAcl, String root) {
        this.connection = connect.apply(this::client);
        this.acl = acl;
        this.rootAcl = rootAcl;
        this.root = root;
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

    private ZooKeeperClient any() {
        return any(Long.MAX_VALUE);
    }

    private ZooKeeperClient any(long silence) {
        client();
        return connection.anyClient(silence);
    }

    private ZooKeeperClient client() {
        ZooKeeperClient client = connection.client();
        if (client.zooKeeper() != last) {
            boolean first;
            synchronized (this) {
                if (client.zooKeeper() == last) {
                    return client;
                }
                first = last == null;
                last = client.zooKeeper();
            }
            if (!first) {
                begun.forEach(Runnable::run);
            }
        }
        return client;
    }

    /** The client that ephemeral nodes and watches belong to, for commands that have to go by one client. */
    ZooKeeperClient home() {
        return client();
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
        return touch(path, NOTHING, version);
    }

    static Op touch(String path, byte[] data, int version) {
        return Op.setData(path, data, version);
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
        return multi(ops, () -> {});
    }

    /** @param outdated runs if the last operation fails the transaction, as the version that it checks is another one */
    CompletableFuture<List<OpResult>> multi(List<Op> ops, Runnable outdated) {
        return ask(
                any(),
                (client, answer) -> client.multi(
                        ops,
                        (rc, path, context, results) -> {
                            if (rc == Code.BADVERSION.intValue() && isLastToFail(results)) {
                                outdated.run();
                            }
                            answer.came(rc, path, results);
                        },
                        null));
    }

    private static boolean isLastToFail(@Nullable List<OpResult> results) {
        return results != null
                && !results.isEmpty()
                && results.get(results.size() - 1) instanceof OpResult.ErrorResult last
                && last.getErr() == Code.BADVERSION.intValue();
    }

    /** Makes a node; its path comes back, with the sequence if it has one. */
    CompletableFuture<String> create(String path, byte[] data, CreateMode mode) {
        return create(mode.isEphemeral() ? client() : any(), path, data, acl, mode);
    }

    CompletableFuture<String> create(ZooKeeperClient by, String path, byte[] data, CreateMode mode) {
        return create(by, path, data, acl, mode);
    }

    private CompletableFuture<String> create(
            ZooKeeperClient by, String path, byte[] data, List<ACL> acl, CreateMode mode) {
        return ask(
                by,
                (client, answer) -> client.create(
                        path, data, acl, mode, (rc, asked, context, made) -> answer.came(rc, asked, made), null));
    }

    /**
     * Makes a node between the root and the names, or the root, and its missing ancestors. Nodes that the names of several
     * users share are for all users of the root: one user's own node would exclude the other users for ever.
     */
    CompletableFuture<Void> createAll(String path) {
        boolean isShared = path.startsWith(root + "/");
        CompletableFuture<List<ACL>> granted = isShared ? acl(root) : CompletableFuture.completedFuture(rootAcl);
        CompletableFuture<List<ACL>> allowed = Errors.unless(granted, code -> switch (code) {
            case NOAUTH -> CompletableFuture.completedFuture(acl); // it may be used without reading its access list
            default -> null;
        });
        CompletableFuture<Void> made = allowed.thenCompose(
                        list -> create(any(), path, NOTHING, isMasked(list) ? acl : list, CreateMode.PERSISTENT))
                .thenApply(unused -> null);
        return Errors.unless(made, code -> switch (code) {
            case NODEEXISTS -> CompletableFuture.completedFuture(null);
            case NONODE -> createAll(parent(path)).thenCompose(unused -> createAll(path));
            default -> null;
        });
    }

    /** The access list of a node. */
    CompletableFuture<List<ACL>> acl(String path) {
        return ask(
                any(),
                (client, answer) -> client.getACL(
                        path, null, (rc, asked, context, list, stat) -> answer.came(rc, asked, list), null));
    }

    /** Servers hide the digests from a user that may not change the list: such a list must not be given to another node. */
    private static boolean isMasked(List<ACL> list) {
        return list.stream()
                .anyMatch(one -> one.getId().getScheme().equals("digest")
                        && one.getId().getId().endsWith(":x"));
    }

    CompletableFuture<Stat> set(String path, byte[] data, int version) {
        return set(path, data, version, Long.MAX_VALUE);
    }

    /** @param silence how long, in nanoseconds, the server may have left other commands without an answer to be asked this */
    CompletableFuture<Stat> set(String path, byte[] data, int version, long silence) {
        return ask(
                any(silence),
                (client, answer) -> client.setData(
                        path, data, version, (rc, asked, context, stat) -> answer.came(rc, asked, stat), null));
    }

    CompletableFuture<Void> delete(String path, int version) {
        return ask(
                any(),
                (client, answer) ->
                        client.delete(path, version, (rc, asked, context) -> answer.came(rc, asked, null), null));
    }

    /** The content of a node, as the server knows it, which may lag behind its ensemble. */
    CompletableFuture<Data> data(String path) {
        return data(any(), path);
    }

    /** The same, after every write that was acknowledged before. */
    CompletableFuture<Data> latestData(String path) {
        ZooKeeperClient client = any();
        catchUp(client, path);
        return data(client, path);
    }

    CompletableFuture<Data> data(ZooKeeperClient by, String path) {
        return ask(
                by,
                (client, answer) -> client.getData(
                        path,
                        null,
                        (rc, asked, context, data, stat) -> answer.came(rc, asked, new Data(text(data), stat)),
                        null));
    }

    /** The children of a node, as the server knows them, which may lag behind its ensemble. */
    CompletableFuture<Children> children(String path) {
        return children(any(), path, null);
    }

    /** The same, after every write that was acknowledged before. */
    CompletableFuture<Children> latestChildren(String path) {
        ZooKeeperClient client = any();
        catchUp(client, path);
        return children(client, path, null);
    }

    /** @param watcher hears once when a child comes or goes, or the node itself goes; not of data */
    CompletableFuture<Children> children(ZooKeeperClient by, String path, @Nullable Watcher watcher) {
        return ask(
                by,
                (client, answer) -> client.getChildren(
                        path,
                        watcher,
                        (rc, asked, context, names, stat) -> answer.came(rc, asked, new Children(names, stat)),
                        null));
    }

    /** How many children a node has, among other things, as the server knows it. */
    CompletableFuture<Stat> stat(ZooKeeperClient by, String path) {
        return ask(
                by,
                (client, answer) ->
                        client.exists(path, false, (rc, asked, context, stat) -> answer.came(rc, asked, stat), null));
    }

    /** The same by any client. */
    CompletableFuture<Stat> stat(String path) {
        return stat(any(), path);
    }

    /** What this client reads from now on includes every write that was acknowledged before. It costs no wait of its own. */
    private void catchUp(ZooKeeperClient by, String path) {
        Session.<Void>ask(
                by, (client, answer) -> client.sync(path, (rc, asked, context) -> answer.came(rc, asked, null), null));
    }

    CompletableFuture<Void> addWatch(String path, Watcher watcher, AddWatchMode mode) {
        return ask(
                client(),
                (client, answer) -> client.addWatch(
                        path, watcher, mode, (rc, asked, context) -> answer.came(rc, asked, null), null));
    }

    void removeWatches(String path) {
        Session.<Void>ask(
                client(),
                (client, answer) -> client.removeAllWatches(
                        path,
                        Watcher.WatcherType.Any,
                        true,
                        (rc, asked, context) -> answer.came(rc, asked, null),
                        null));
    }

    private static <T> CompletableFuture<T> ask(ZooKeeperClient client, BiConsumer<ZooKeeper, Answer<T>> request) {
        Answer<T> answer = new Answer<>(client);
        client.asked();
        try {
            request.accept(client.zooKeeper(), answer);
        } catch (RuntimeException | Error e) {
            client.answered(Code.SYSTEMERROR.intValue()); // it was not sent
            throw e;
        }
        return answer.future;
    }

    /** What a callback hears. */
    private static final class Answer<T> {

        final CompletableFuture<T> future = new CompletableFuture<>();
        private final ZooKeeperClient client;

        Answer(ZooKeeperClient client) {
            this.client = client;
        }

        /** @param value null only beside a failure, or where nothing is wanted */
        void came(int rc, String path, @Nullable T value) {
            client.answered(rc);
            if (rc == Code.OK.intValue()) {
                future.complete(value);
            } else {
                future.completeExceptionally(failure(rc, path));
            }
        }
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
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
