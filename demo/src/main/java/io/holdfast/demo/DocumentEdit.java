package io.holdfast.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;

/** A worker's third task: writes a document, and does not trust its own clock with it. */
final class DocumentEdit {

    /** Whatever may take long between looking at the lease and writing. */
    interface Pause {
        void await() throws InterruptedException;
    }

    private final SharedData data;
    private final DistributedLock lock;

    DocumentEdit(SharedData data, DistributedLock lock) {
        this.data = data;
        this.lock = lock;
    }

    void run(String author, Pause pause) throws InterruptedException {
        lock.lock();
        Lease lease = lock.lease();
        lease.onLost(lost -> Report.say("told"));
        Report.say("granted", lease.token());
        try {
            if (lease.isValid()) {
                // Here the process may stop for any time: a long collection, a suspended machine. No check of the lease
                // can help, since it was made before; the token goes with the write, and the resource decides.
                Report.say("checked");
                pause.await();
                boolean accepted = data.writeDocument("by " + author, lease.token());
                Report.say(accepted ? "accepted" : "refused");
                Report.say("valid", lease.isValid());
            }
        } finally {
            unlock();
        }
    }

    private void unlock() {
        try {
            lock.unlock();
            Report.say("unlocked");
        } catch (LeaseLostException e) {
            Report.say("lost", e);
        }
    }
}
