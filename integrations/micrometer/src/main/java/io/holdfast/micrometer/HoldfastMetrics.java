package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.StoreCommandEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one client or several: what is waited for and how long, what is held, renewed and lost, and what the store's commands
 * take.
 *
 * <pre>{@code
 * HoldfastMetrics metrics = HoldfastMetrics.of(registry);
 * Holdfast holdfast = Holdfast.builder().uri(uri).listener(metrics).build();
 * }</pre>
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><th>meter</th><th>type</th><th>tags</th></tr>
 * <tr><td>{@code holdfast.lock.wait}</td><td>timer</td><td>{@code outcome}: granted, timeout, interrupted, cancelled, refused, error;
 *     {@code path}: store, handoff, linger, none</td></tr>
 * <tr><td>{@code holdfast.lock.hold}</td><td>timer</td><td></td></tr>
 * <tr><td>{@code holdfast.lock.held}, {@code holdfast.lock.waiting}</td><td>gauge</td><td></td></tr>
 * <tr><td>{@code holdfast.lock.lost}</td><td>counter</td><td>{@code reason}: expired, gone, forced, failed_over, closed</td></tr>
 * <tr><td>{@code holdfast.lease.renewals}</td><td>counter</td><td>{@code outcome}: success, failure</td></tr>
 * <tr><td>{@code holdfast.store.command}</td><td>timer</td><td>{@code store}; {@code command}; {@code outcome}: answered, refused,
 *     failed</td></tr>
 * <tr><td>{@code holdfast.events.dropped}</td><td>counter</td><td></td></tr>
 * </table>
 *
 * <p>Locks and permits are counted alike. A name is no tag by default, since there may be any number of names; see {@link
 * Builder#lockTag}. With it the meters {@code holdfast.lock.*} have the tag {@code lock}. As with any listener, events come a moment after
 * the fact; the gauges are read from {@link Holdfast#snapshot()} when they are scraped.
 */
public final class HoldfastMetrics implements LockListener, MeterBinder {

    private final Tags tags;
    private final @Nullable LockTags lockTags;
    private final LocalCounts counts;
    private final List<ClientMeters> bound = new CopyOnWriteArrayList<>();

    private HoldfastMetrics(Builder builder) {
        this.tags = builder.tags;
        this.lockTags = builder.lockTags;
        this.counts = new LocalCounts(this::tagOf);
    }

    /** Meters without names, in that registry. */
    public static HoldfastMetrics of(MeterRegistry registry) {
        HoldfastMetrics metrics = builder().build();
        metrics.bindTo(registry);
        return metrics;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Registers the meters in another registry, unless they are there. Nothing is recorded before the first one is there. */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        // A framework binds what is a MeterBinder, bound or not; twice would count each event twice.
        if (bound.stream().noneMatch(meters -> meters.isIn(registry))) {
            bound.add(new ClientMeters(registry, tags, lockTags != null, counts));
        }
    }

    private String tagOf(String name) {
        return lockTags == null ? "" : lockTags.of(name);
    }

    @Override
    public void started(Holdfast holdfast) {
        counts.add(holdfast);
    }

    @Override
    public void waiting(LockEvent.Waiting event) {
        bound.forEach(meters -> meters.of(tagOf(event.name())));
    }

    @Override
    public void granted(LockEvent.Granted event) {
        bound.forEach(meters -> meters.of(tagOf(event.name())).granted(event));
    }

    @Override
    public void notGranted(LockEvent.NotGranted event) {
        bound.forEach(meters -> meters.of(tagOf(event.name())).notGranted(event));
    }

    @Override
    public void renewed(LockEvent.Renewed event) {
        bound.forEach(ClientMeters::renewed);
    }

    @Override
    public void renewalFailed(LockEvent.RenewalFailed event) {
        bound.forEach(ClientMeters::renewalFailed);
    }

    @Override
    public void released(LockEvent.Released event) {
        bound.forEach(meters -> meters.of(tagOf(event.name())).held(event.held()));
    }

    @Override
    public void lost(LockEvent.Lost event) {
        bound.forEach(meters -> meters.of(tagOf(event.name())).lost(event));
    }

    @Override
    public void commandEnded(StoreCommandEvent event) {
        bound.forEach(meters -> meters.commandEnded(event));
    }

    @Override
    public void eventsDropped(long number) {
        bound.forEach(meters -> meters.eventsDropped(number));
    }

    /** How the meters are tagged. */
    public static final class Builder {

        private Tags tags = Tags.empty();
        private @Nullable LockTags lockTags;

        private Builder() {}

        /** Tags that all meters have, such as one that tells this client from another one. */
        public Builder tags(Iterable<Tag> tags) {
            this.tags = this.tags.and(tags);
            return this;
        }

        /**
         * Gives the meters of locks the tag {@code lock}.
         *
         * @param naming makes a value of a lock's name, such as {@code orders} of {@code orders:42}; quick, and the same for the same name
         * @param maximum how many values there may be, at least 1; what comes after them is {@code other}
         */
        public Builder lockTag(Function<? super String, String> naming, int maximum) {
            Objects.requireNonNull(naming, "the naming of the tag must not be null; it makes 'orders' of 'orders:42'");
            if (maximum < 1) {
                throw new IllegalArgumentException(
                        "the tag 'lock' needs at least one value, not " + maximum + "; leave it out to have none");
            }
            this.lockTags = new LockTags(naming, maximum);
            return this;
        }

        /** Meters that are in no registry yet: see {@link HoldfastMetrics#bindTo}. */
        public HoldfastMetrics build() {
            return new HoldfastMetrics(this);
        }
    }
}
