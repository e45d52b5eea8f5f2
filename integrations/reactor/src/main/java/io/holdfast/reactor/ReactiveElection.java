package io.holdfast.reactor;

import io.holdfast.Election;
import io.holdfast.Leader;
import io.holdfast.Leadership;
import io.holdfast.LeaseLostException;
import io.holdfast.Observation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** An election for Reactor. All that {@link ReactiveLock} says holds here, too. */
public final class ReactiveElection {

    private final Election election;

    private ReactiveElection(Election election) {
        this.election = election;
    }

    public static ReactiveElection of(Election election) {
        return new ReactiveElection(Objects.requireNonNull(election, "the election must not be null"));
    }

    public String name() {
        return election.name();
    }

    /** Waits until this candidate leads. Cancelling the subscription leaves nothing; see {@link ReactiveLock#acquire()}. */
    public Mono<Leadership> campaign() {
        return new LeaseMono<>(election::campaignAsync, Optional::of);
    }

    /** {@link #campaign()} for that long at most; empty if another candidate led all the time. Zero or less asks once. */
    public Mono<Leadership> tryCampaign(Duration wait) {
        Objects.requireNonNull(wait, "the time to wait must not be null");
        return new LeaseMono<>(() -> election.tryCampaignAsync(wait), Function.identity());
    }

    /**
     * Campaigns, and runs the body as the leader; the leadership is given back when the body completes, fails or is cancelled. When it is
     * lost, the body is cancelled, and the Flux fails with {@link LeaseLostException}; {@code retry()} campaigns again, and {@code repeat()} does
     * so after a body that has completed. The loss is told when it has happened. A candidate that needs time to stop before another one leads uses
     * {@link Election#lead}.
     */
    public <T> Flux<T> lead(Function<? super Leadership, ? extends Publisher<? extends T>> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.flux(campaign(), body);
    }

    /** The leader as the store knows it now; empty if there is none. */
    public Mono<Leader> leader() {
        return Mono.fromFuture(election::leaderAsync).flatMap(Mono::justOrEmpty);
    }

    /**
     * Who leads: now, and at each change from then on, empty when there is no leader; see {@link Election#observe}. It ends with its subscription only. A
     * subscriber that is behind is told the latest.
     */
    public Flux<Optional<Leader>> leaders() {
        return Flux.create(
                sink -> {
                    Observation observation = election.observe(sink::next);
                    sink.onDispose(observation::close);
                },
                FluxSink.OverflowStrategy.LATEST);
    }

    @Override
    public String toString() {
        return "ReactiveElection[" + election + "]";
    }
}
