package io.holdfast.internal.election;

import io.holdfast.Candidacy;
import io.holdfast.Leader;
import io.holdfast.Observation;
import io.holdfast.internal.engine.Dependent;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The elections of one client: the candidacies and the observations that are not closed. */
public final class Elections implements Dependent {

    private final Engine engine;
    private final Set<CandidacyLoop> candidacies = ConcurrentHashMap.newKeySet();
    private final Map<String, Observed> observed = new ConcurrentHashMap<>();

    public Elections(Engine engine) {
        this.engine = engine;
    }

    public ElectionFace election(String name, LeaseTerms terms) {
        return new ElectionFace(this, name, LeaseTerms.watchdog(terms.lease()), null);
    }

    Engine engine() {
        return engine;
    }

    // ---- candidacies ------------------------------------------------------------------------------------------

    void begins(CandidacyLoop loop) {
        candidacies.add(loop);
        loop.campaign();
    }

    void ended(Candidacy loop) {
        candidacies.remove(loop);
    }

    /**
     * Has all candidates stop. Half of the client's time-out is theirs; the other half is for giving back. The leadership of a candidate that has not
     * stopped by then is left to its lease.
     */
    @Override
    public CompletableFuture<Void> beforeLettingGo(boolean forGood) {
        if (forGood) {
            observed.values().forEach(Observed::close);
        }
        List<CandidacyLoop> all = List.copyOf(candidacies);
        CompletableFuture<Void> stopped = Futures.allOf(
                all.stream().map(loop -> forGood ? loop.stop() : loop.endTerm()).toList());
        CompletableFuture<Void> known = new CompletableFuture<>();
        Timer patience = new Timer(() -> {
            all.forEach(CandidacyLoop::leaveToLease);
            known.complete(null);
        });
        engine.timers().arm(patience, engine.now() + engine.timeoutNanos() / 2);
        stopped.whenComplete((nothing, failure) -> {
            engine.timers().cancel(patience);
            known.complete(null);
        });
        return known;
    }

    @Override
    public int inUse() {
        return candidacies.size() + observed.size();
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    /** The leader as the store knows it now. */
    CompletableFuture<Optional<Leader>> look(String name) {
        return engine.inspectAsync(Resource.lock(name)).thenApply(Leader::of);
    }

    Observation observe(String name, Consumer<? super Optional<Leader>> listener) {
        Follower follower = new Follower(engine, name, listener);
        // A closed one is taken out of the map, and the next takes its place.
        while (!observed.computeIfAbsent(name, each -> new Observed(this, each)).tryAdd(follower)) {
            Thread.onSpinWait();
        }
        return () -> {
            follower.close();
            Observed its = observed.get(name);
            if (its != null) {
                its.remove(follower);
            }
        };
    }

    void retire(Observed retired) {
        observed.remove(retired.name(), retired);
    }

    /** A candidate of this client has won or given back the election of that name. */
    void changed(String name) {
        Observed its = observed.get(name);
        if (its != null) {
            its.look();
        }
    }
}
