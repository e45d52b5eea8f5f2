package io.holdfast.internal.claim;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.Timer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets the stored hold counts follow re-entry, and no caller waits for them: what has changed is written a tenth of a
 * second later, if it still differs from what is stored. A million re-entries cost ten commands a second at most.
 */
public final class HoldCounts {

    private final ClaimContext engine;
    private final Queue<Hold> changed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Timer timer = new Timer(this::write);

    public HoldCounts(ClaimContext engine) {
        this.engine = engine;
    }

    void changed(Hold hold) {
        if (!hold.countNoted) {
            hold.countNoted = true;
            changed.add(hold);
            if (armed.compareAndSet(false, true)) {
                engine.timers().arm(timer, engine.now() + Tuning.HOLD_COUNT_DELAY_NANOS);
            }
        }
    }

    private void write() {
        armed.set(false);
        for (Hold hold = changed.poll(); hold != null; hold = changed.poll()) {
            hold.countNoted = false;
            engine.watchdog().writeCount(hold);
        }
    }
}
