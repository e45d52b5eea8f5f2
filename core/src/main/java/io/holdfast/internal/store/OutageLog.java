package io.holdfast.internal.store;

import io.holdfast.spi.Messages;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that held locks can't be renewed, before any of them is lost: one line when the first renewal fails, however
 * many locks and shards fail with it, and one line when the store answers again.
 */
final class OutageLog {

    private static final Logger log = LoggerFactory.getLogger(OutageLog.class);

    private final StoreContext engine;
    private final Set<String> shards = new HashSet<>();
    private long begunAt;
    private volatile boolean isOut;
    private @Nullable Long endedAt;

    OutageLog(StoreContext engine) {
        this.engine = engine;
    }

    /** A renewal that was sent then failed, or was not answered in time. */
    synchronized void failed(String shard, long sentAt, Throwable failure) {
        if (engine.isClosed() || (endedAt != null && sentAt - endedAt < 0)) {
            return; // a renewal that was sent before the end of the last outage begins no other one
        }
        shards.add(shard);
        if (!isOut) {
            isOut = true;
            begunAt = sentAt;
            log.warn("{}; leases can't be renewed until it answers", reason(failure));
            log.debug("The first failed renewal", failure);
        }
    }

    boolean isOut() {
        return isOut;
    }

    /** The store has answered a command for that shard. */
    void answered(String shard) {
        if (isOut) {
            end(shard);
        }
    }

    private synchronized void end(String shard) {
        if (isOut && shards.contains(shard)) {
            isOut = false;
            shards.clear();
            endedAt = engine.now();
            log.info(
                    "{} answers again, after {} ms without an answer",
                    Messages.line(engine.store().description()),
                    Duration.ofNanos(engine.now() - begunAt).toMillis());
        }
    }

    /** What the failure says of the store, without the lock that it happened to be about. */
    private String reason(Throwable failure) {
        String store = engine.store().description();
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        int from = message.indexOf(store);
        return Messages.line(from < 0 ? store + ": " + message : message.substring(from));
    }
}
