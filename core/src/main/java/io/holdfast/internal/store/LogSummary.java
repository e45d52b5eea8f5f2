package io.holdfast.internal.store;

import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Messages;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;

/**
 * Warnings of one kind, of which an outage can bring tens of thousands at a time. The first is logged at once, since a holder
 * that hears of a loss may end the process; the warnings of the following second are one line with their number and some examples.
 */
public final class LogSummary {

    private static final long GATHER_NANOS = 1_000_000_000;
    private static final int EXAMPLES = 3;

    private final StoreContext engine;
    private final Logger log;
    private final String one;
    private final String several;
    private final Timer timer = new Timer(this::tellMore);
    private final List<String> examples = new ArrayList<>(EXAMPLES);
    private boolean gathering;
    private int more;
    private String lastReason = "";

    /**
     * @param one what happened, as in "was lost"
     * @param several the same of several, as in "were lost"
     */
    public LogSummary(StoreContext engine, Logger log, String one, String several) {
        this.engine = engine;
        this.log = log;
        this.one = one;
        this.several = several;
    }

    /**
     * Logs the warning now, or in the next summary.
     *
     * @param subject what it happened to
     */
    public synchronized void warn(String subject, String reason) {
        String why = Messages.line(reason);
        if (!gathering) {
            log.warn("{} {}: {}", subject, one, why);
            gather();
            return;
        }
        log.debug("{} {}: {}", subject, one, why);
        more++;
        lastReason = why;
        if (examples.size() < EXAMPLES) {
            examples.add(subject);
        }
    }

    /** What was gathered is told now, since no timer will do it. */
    public synchronized void close() {
        engine.timers().cancel(timer);
        tellMore();
    }

    private synchronized void tellMore() {
        gathering = false;
        if (more > 0) {
            log.warn(
                    "{} more {}{}: {}",
                    more,
                    several,
                    (more > examples.size() ? ", among them " : ", ") + String.join(", ", examples),
                    lastReason);
            more = 0;
            examples.clear();
            gather();
        }
    }

    private void gather() {
        if (!engine.isClosed()) {
            gathering = true;
            engine.timers().arm(timer, engine.now() + GATHER_NANOS);
        }
    }
}
