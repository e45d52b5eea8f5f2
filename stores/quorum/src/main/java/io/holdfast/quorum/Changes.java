package io.holdfast.quorum;

import io.holdfast.spi.Kind;
import io.holdfast.spi.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A watch at all nodes. They tell of one release one after the other, and asking is of use once a majority has: so the
 * first waits a moment for the others. The moment is random, since many may be waiting.
 */
final class Changes implements Subscription {

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private final Quorum quorum;
    private final Runnable changed;
    private final List<Subscription> watches = new ArrayList<>();
    private int told;
    private boolean closed;

    Changes(Quorum quorum, Runnable changed) {
        this.quorum = quorum;
        this.changed = changed;
    }

    Changes watch(Kind kind, String name) {
        for (Node node : quorum.nodes()) {
            watches.add(node.store().watch(kind, name, this::tell));
        }
        return this;
    }

    private void tell() {
        boolean first;
        boolean enough;
        synchronized (this) {
            if (closed) {
                return;
            }
            told++;
            first = told == 1;
            enough = told == quorum.majority();
        }
        if (first) {
            quorum.world().after(MOMENT_NANOS + quorum.world().random(MOMENT_NANOS), this::momentOver);
        }
        if (enough) {
            changed.run();
        }
    }

    private void momentOver() {
        int heard;
        synchronized (this) {
            heard = told;
            told = 0;
            if (closed) {
                return;
            }
        }
        if (heard != quorum.nodes().size()) { // of fewer, or of more than one change
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
