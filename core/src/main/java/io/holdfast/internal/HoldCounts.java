package io.holdfast.internal;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets the stored hold counts follow re-entry without anybody waiting for them: what has changed is written a tenth of a
 * second later, if it still differs from what is stored. A million re-entries cost ten commands a second at most.
 */
final class HoldCounts {

    private static final long DELAY_NANOS = 100_000_000;

    private final Engine engine;
    private final Set<Hold> changed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Timer timer = new Timer(this::write);

    HoldCounts(Engine engine) {
        this.engine = engine;
    }

    void changed(Hold hold) {
        if (!hold.countNoted) {
            hold.countNoted = true;
            changed.add(hold);
            if (armed.compareAndSet(false, true)) {
                engine.timers().arm(timer, engine.now() + DELAY_NANOS);
            }
        }
    }

    private void write() {
        armed.set(false);
        for (Iterator<Hold> holds = changed.iterator(); holds.hasNext(); ) {
            Hold hold = holds.next();
            holds.remove();
            hold.countNoted = false;
            engine.keeper().writeCount(hold);
        }
    }
}
