package io.holdfast.tck;

import io.holdfast.Candidate;
import io.holdfast.Leadership;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A candidate that notes what it is told, and stops when it may. */
class RecordingCandidate implements Candidate {

    final List<Leadership> granted = new CopyOnWriteArrayList<>();
    final List<Leadership> revoked = new CopyOnWriteArrayList<>();

    /** Whether the leadership was still valid when the candidate had stopped. */
    final List<Boolean> inTime = new CopyOnWriteArrayList<>();

    /** It has stopped when this is open. */
    volatile CountDownLatch mayStop = new CountDownLatch(0);

    @Override
    public void granted(Leadership leadership) throws Exception {
        granted.add(leadership);
    }

    @Override
    public void revoked(Leadership leadership) throws Exception {
        revoked.add(leadership);
        mayStop.await();
        inTime.add(leadership.isValid());
    }

    /** True if it leads as far as it was told. */
    boolean isOn() {
        return granted.size() > revoked.size();
    }
}
