package io.holdfast.micrometer;

import io.holdfast.StoreCommandEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters in one registry. Each is looked up once. */
final class ClientMeters {

    private record Command(String store, StoreCommandEvent.Command command, StoreCommandEvent.Outcome outcome) {}

    private final MeterRegistry registry;
    private final Tags tags;
    private final boolean named;
    private final LocalCounts counts;
    private final Map<String, LockMeters> locks = new ConcurrentHashMap<>();
    private final Map<Command, Timer> commands = new ConcurrentHashMap<>();
    private final Counter renewed;
    private final Counter renewalsFailed;
    private final Counter dropped;

    /** @param named whether meters of locks have the tag lock */
    ClientMeters(MeterRegistry registry, Tags tags, boolean named, LocalCounts counts) {
        this.registry = registry;
        this.tags = tags;
        this.named = named;
        this.counts = counts;
        this.renewed = renewals("success");
        this.renewalsFailed = renewals("failure");
        this.dropped = Counter.builder("holdfast.events.dropped")
                .description("Events that the other meters lack, since this process was too busy")
                .tags(tags)
                .register(registry);
        if (!named) {
            of("");
        }
    }

    private Counter renewals(String outcome) {
        return Counter.builder("holdfast.lease.renewals")
                .description("Renewals of held leases")
                .tags(tags)
                .tag("outcome", outcome)
                .register(registry);
    }

    @SuppressWarnings("ReferenceEquality") // registries are told apart by identity
    boolean isIn(MeterRegistry other) {
        return registry == other;
    }

    LockMeters of(String tag) {
        LockMeters known = locks.get(tag);
        return known == null ? locks.computeIfAbsent(tag, this::meters) : known;
    }

    private LockMeters meters(String tag) {
        return new LockMeters(registry, named ? tags.and("lock", tag) : tags, counts, tag);
    }

    void renewed() {
        renewed.increment();
    }

    void renewalFailed() {
        renewalsFailed.increment();
    }

    void eventsDropped(long number) {
        dropped.increment((double) number);
    }

    void commandEnded(StoreCommandEvent event) {
        commands.computeIfAbsent(new Command(event.store(), event.command(), event.outcome()), this::timer)
                .record(event.took());
    }

    private Timer timer(Command key) {
        return Timer.builder("holdfast.store.command")
                .description("Commands to the store, from sending one to its answer")
                .tags(tags)
                .tag("store", key.store)
                .tag("command", key.command.name().toLowerCase(Locale.ROOT))
                .tag("outcome", key.outcome.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
