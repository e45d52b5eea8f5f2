package io.holdfast.zookeeper;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** A client to which happens what is rare: each of these once, when it is set. */
final class OddClient extends ZooKeeper {

    /** Something that may fail. */
    interface Deed {
        void run() throws Exception;
    }

    /** Runs before the data of a claim that holds are read. */
    volatile Deed beforeLook;

    /** A claim that holds is not found, as by a server that is behind. */
    volatile boolean isBehind;

    /** Of a node that is made, no answer comes back. */
    volatile boolean losesCreation;

    /** A write is kept back, to be sent by {@link #sendKept}. */
    volatile boolean keepsWrite;

    /** A transaction like this is not sent. */
    volatile Predicate<Iterable<Op>> refuses = ops -> false;

    /** Of a transaction like this, no answer comes back. */
    volatile Predicate<Iterable<Op>> losesAnswer = ops -> false;

    private Runnable kept = () -> {};

    OddClient(String servers) throws IOException {
        super(servers, 2_000, event -> {});
    }

    void sendKept() throws InterruptedException {
        CountDownLatch sent = new CountDownLatch(1);
        kept.run();
        sync("/", (rc, path, context) -> sent.countDown(), null);
        if (!sent.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("it was not answered");
        }
    }

    @Override
    public void getData(String path, Watcher watcher, DataCallback callback, Object context) {
        boolean holds = path.contains("/h~");
        Deed deed = beforeLook;
        if (holds && deed != null) {
            beforeLook = null;
            try {
                deed.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        if (holds && isBehind) {
            isBehind = false;
            callback.processResult(Code.NONODE.intValue(), path, context, null, null);
        } else {
            super.getData(path, watcher, callback, context);
        }
    }

    @Override
    public void create(
            String path, byte[] data, List<ACL> acl, CreateMode mode, StringCallback callback, Object context) {
        if (losesCreation) {
            losesCreation = false;
            StringCallback lost =
                    (rc, asked, c, name) -> callback.processResult(Code.CONNECTIONLOSS.intValue(), asked, c, null);
            super.create(path, data, acl, mode, lost, context);
        } else {
            super.create(path, data, acl, mode, callback, context);
        }
    }

    @Override
    public void setData(String path, byte[] data, int version, StatCallback callback, Object context) {
        if (keepsWrite) {
            keepsWrite = false;
            kept = () -> super.setData(path, data, version, callback, context);
        } else {
            super.setData(path, data, version, callback, context);
        }
    }

    @Override
    public void multi(Iterable<Op> ops, MultiCallback callback, Object context) {
        if (refuses.test(ops)) {
            callback.processResult(Code.CONNECTIONLOSS.intValue(), null, context, null);
        } else if (losesAnswer.test(ops)) {
            losesAnswer = other -> false;
            super.multi(
                    ops,
                    (rc, asked, same, results) ->
                            callback.processResult(Code.CONNECTIONLOSS.intValue(), null, same, null),
                    context);
        } else {
            super.multi(ops, callback, context);
        }
    }
}
