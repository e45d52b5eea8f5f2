package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.spi.ResourceType;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Waits and holds as observations, which a tracer makes spans of: {@code holdfast.wait} from the request to its answer, and {@code
 * holdfast.hold} from the grant to its end. Both are children of the observation that was current in the thread that asked.
 *
 * <pre>{@code
 * Holdfast holdfast = Holdfast.builder().uri(uri).listener(new HoldfastObservations(registry)).build();
 * }</pre>
 *
 * <p>Keys of low cardinality: {@code holdfast.type} (lock, semaphore), {@code holdfast.mode}, and for a wait {@code outcome} and {@code
 * path} as in {@link HoldfastMetrics}; for a hold {@code outcome}: released, or lost. Keys of high cardinality: {@code holdfast.lock}, the raw
 * name, and {@code holdfast.token}. A wait begins in the thread that asks. Everything else is known a moment after the fact.
 */
public final class HoldfastObservations implements LockListener {

    /** The request of one caller: what was current in its thread, and the wait. */
    private record Asked(@Nullable Observation parent, Observation waiting) {}

    private record HoldKey(ResourceType type, String name, long token) {
        static HoldKey of(LockEvent event, long token) {
            return new HoldKey(event.type(), event.name(), token);
        }
    }

    private final ObservationRegistry registry;
    private final Map<HoldKey, Observation> holds = new ConcurrentHashMap<>();
    private final List<WeakReference<Holdfast>> clients = new CopyOnWriteArrayList<>();

    public HoldfastObservations(ObservationRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "the registry of observations must not be null");
    }

    @Override
    public void started(Holdfast holdfast) {
        clients.add(new WeakReference<>(holdfast));
    }

    @Override
    public @Nullable Object requested(LockEvent.Requested event) {
        if (registry.isNoop()) {
            return null;
        }
        Observation parent = registry.getCurrentObservation();
        return new Asked(parent, begin("holdfast.wait", "wait for lock", event, parent));
    }

    private Observation begin(String name, String contextual, LockEvent event, @Nullable Observation parent) {
        Observation observation = Observation.createNotStarted(name, registry)
                .contextualName(contextual)
                .lowCardinalityKeyValue("holdfast.type", event.type().name().toLowerCase(Locale.ROOT))
                .lowCardinalityKeyValue("holdfast.mode", event.mode().name().toLowerCase(Locale.ROOT))
                .highCardinalityKeyValue("holdfast.lock", event.name());
        if (parent != null) {
            observation.parentObservation(parent);
        }
        return observation.start();
    }

    @Override
    public void waiting(LockEvent.Waiting event) {
        if (event.context() instanceof Asked asked) {
            asked.waiting.event(Observation.Event.of("holdfast.waiting", "has to wait"));
        }
    }

    @Override
    public void granted(LockEvent.Granted event) {
        if (event.context() instanceof Asked asked) {
            String token = Long.toString(event.token());
            asked.waiting
                    .lowCardinalityKeyValue("outcome", "granted")
                    .lowCardinalityKeyValue("path", LockMeters.nameOf(event.path()))
                    .highCardinalityKeyValue("holdfast.token", token)
                    .stop();
            Observation hold = begin("holdfast.hold", "hold lock", event, asked.parent)
                    .highCardinalityKeyValue("holdfast.token", token);
            holds.put(HoldKey.of(event, event.token()), hold);
        }
    }

    @Override
    public void notGranted(LockEvent.NotGranted event) {
        if (event.context() instanceof Asked asked) {
            asked.waiting
                    .lowCardinalityKeyValue("outcome", LockMeters.nameOf(event.cause()))
                    .lowCardinalityKeyValue("path", "none");
            if (event.failure() != null) {
                asked.waiting.error(event.failure());
            }
            asked.waiting.stop();
        }
    }

    @Override
    public void released(LockEvent.Released event) {
        Observation hold = holds.remove(HoldKey.of(event, event.token()));
        if (hold != null) {
            hold.lowCardinalityKeyValue("outcome", "released").stop();
        }
    }

    @Override
    public void lost(LockEvent.Lost event) {
        Observation hold = holds.remove(HoldKey.of(event, event.token()));
        if (hold != null) {
            hold.lowCardinalityKeyValue("outcome", "lost")
                    .error(new LeaseLostException(event.text()))
                    .stop();
        }
    }

    /** The end of some holds may have been missed: those that are over by now are stopped. */
    @Override
    public void eventsDropped(long number) {
        Set<HoldKey> held = new HashSet<>();
        clients.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .flatMap(client -> client.snapshot().holds().stream())
                .forEach(hold -> held.add(new HoldKey(hold.type(), hold.name(), hold.token())));
        holds.forEach((key, hold) -> {
            if (!held.contains(key) && holds.remove(key, hold)) {
                hold.lowCardinalityKeyValue("outcome", "unknown").stop();
            }
        });
    }
}
