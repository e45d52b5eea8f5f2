package io.holdfast.quorum;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch at all nodes. They tell of one release one after the other, and asking is of use once a majority has. A release
 * that fewer nodes tell of is a vote that was given back by a claim without a majority, possibly by one of this client:
 * asking because of it would give that vote back again, and so wake all that wait for as long as the lock is held.
 *
 * <p>A woken claim may collide with other claims and ask too early for some nodes: so it is woken once more after a
 * random moment, unless all nodes have reported the release.
 */
final class MajorityWatch implements Subscription {

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    /** An earlier report is no part of the same release; the waiters have checked again since. */
    private static final long TOGETHER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Quorum quorum;
    private final Runnable changed;
    private final List<Subscription> watches = new ArrayList<>();

    /** When each node told of a release that nothing was woken for yet. */
    private final @Nullable Long[] toldAt;

    private boolean inMoment;
    private int toldInMoment;
    private boolean closed;

    MajorityWatch(Quorum quorum, Runnable changed) {
        this.quorum = quorum;
        this.changed = changed;
        this.toldAt = new Long[quorum.nodes().size()];
    }

    MajorityWatch watch(Resource resource) {
        for (Node node : quorum.nodes()) {
            watches.add(node.store().watch(resource, () -> tell(node)));
        }
        return this;
    }

    private void tell(Node node) {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (inMoment) {
                toldInMoment++;
            }
            toldAt[node.index()] = quorum.world().nanos();
            int told = told();
            if (told < quorum.majority()) {
                return;
            }
            Arrays.fill(toldAt, null);
            if (!inMoment) {
                inMoment = true;
                toldInMoment = told;
                quorum.world().after(MOMENT_NANOS + quorum.world().random(MOMENT_NANOS), this::momentOver);
            }
        }
        changed.run();
    }

    private int told() {
        long now = quorum.world().nanos();
        int told = 0;
        for (Long at : toldAt) {
            if (at != null && now - at < TOGETHER_NANOS) {
                told++;
            }
        }
        return told;
    }

    private void momentOver() {
        boolean all;
        synchronized (this) {
            inMoment = false;
            all = toldInMoment == quorum.nodes().size();
            if (closed) {
                return;
            }
        }
        if (!all) { // of fewer, or of more than one change
            changed.run();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        watches.forEach(Subscription::close);
    }
}
