package io.holdfast.internal.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Since when the store has not answered, for each shard. A command that is given up after milliseconds can't tell an outage
 * from a busy machine; what happened to the commands before it can. Costs nothing while the store answers.
 */
public final class StoreHealth {

    /**
     * @param since when the first command failed with none answered after it
     * @param last when the last one did
     */
    private record Outage(long since, long last, Throwable failure) {

        /** Commands that are further apart than a time-out say nothing of the time between them. */
        Outage goesOn(long now, long timeoutNanos, Throwable failure) {
            return new Outage(now - last < timeoutNanos ? since : now, now, failure);
        }
    }

    private final StoreContext engine;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    public StoreHealth(StoreContext engine) {
        this.engine = engine;
    }

    /** The store has answered a command for that name. */
    public void answered(String name) {
        if (!outages.isEmpty()) {
            outages.remove(shard(name));
        }
        if (engine.outages().isOut()) {
            engine.outages().answered(shard(name));
        }
    }

    /** A command for that name failed, or was not answered in time. */
    public void failed(String name, Throwable failure) {
        long now = engine.now(); // other commands may have been answered since this one was sent
        outages.compute(
                shard(name),
                (shard, known) -> known == null
                        ? new Outage(now, now, failure)
                        : known.goesOn(now, engine.timeoutNanos(), failure));
    }

    /** Why the name can't be asked for, if the shard has not answered for longer than the client's time-out. */
    @Nullable
    public Throwable outage(String what, String name) {
        Outage outage = outages.isEmpty() ? null : outages.get(shard(name));
        long length = outage == null ? 0 : outage.last - outage.since;
        return outage == null || length < engine.timeoutNanos()
                ? null
                : Failures.unavailable(
                        what + ": " + engine.store().description() + " has not answered for "
                                + Duration.ofNanos(length).toMillis() + " ms: " + Failures.reason(what, outage.failure),
                        outage.failure);
    }

    private String shard(String name) {
        try {
            return engine.store().shard(name);
        } catch (RuntimeException e) {
            return ""; // told where it matters, by the command itself
        }
    }
}
