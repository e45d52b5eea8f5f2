package io.holdfast.internal.election;

import io.holdfast.Candidacy;
import io.holdfast.Candidate;
import io.holdfast.Election;
import io.holdfast.Leader;
import io.holdfast.Leadership;
import io.holdfast.Observation;
import io.holdfast.internal.CandidateText;
import io.holdfast.internal.Limits;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An election as callers see it: arguments are checked here, threads park here, and a campaign is a request for the fair lock. */
public final class ElectionFace implements Election {

    private final Elections elections;
    private final Engine engine;
    private final String name;
    private final LeaseTerms terms;
    private final @Nullable String value;

    ElectionFace(Elections elections, String name, LeaseTerms terms, @Nullable String value) {
        this.elections = elections;
        this.engine = elections.engine();
        this.name = name;
        this.terms = terms;
        this.value = value;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Election withValue(String shown) {
        return new ElectionFace(elections, name, terms, Limits.electionValue(shown));
    }

    // ---- campaigning ------------------------------------------------------------------------------------------

    private PendingRequest ask(long waitNanos) {
        LockOwner candidate = LockOwner.ofCandidate(CandidateText.of(value));
        return engine.ask(name, LockRequest.exclusive(true, true), terms, candidate, waitNanos);
    }

    private @Nullable Leadership won(@Nullable HeldLease held) {
        return held == null ? null : LeaderLease.of(held, value, elections);
    }

    @Override
    public Leadership campaign() throws InterruptedException {
        return Objects.requireNonNull(campaign(Waiter.FOREVER));
    }

    @Override
    public Optional<Leadership> tryCampaign(Duration wait) throws InterruptedException {
        return Optional.ofNullable(campaign(Limits.waitNanos(wait)));
    }

    private @Nullable Leadership campaign(long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return won(ask(waitNanos).awaitInterruptibly());
    }

    @Override
    public CompletableFuture<Leadership> campaignAsync() {
        return ask(Waiter.FOREVER).future(engine, held -> Objects.requireNonNull(won(held)));
    }

    @Override
    public CompletableFuture<Optional<Leadership>> tryCampaignAsync(Duration wait) {
        return ask(Limits.waitNanos(wait)).future(engine, held -> Optional.ofNullable(won(held)));
    }

    @Override
    public Candidacy lead(Candidate candidate) {
        return lead(new BlockingCandidate(Objects.requireNonNull(candidate, "the candidate must not be null")));
    }

    /** {@link #lead(Candidate)} with a candidate that does not block. */
    public Candidacy lead(CandidateCalls candidate) {
        CandidacyLoop loop =
                new CandidacyLoop(elections, this, candidate, terms.lease().toNanos());
        elections.begins(loop);
        return loop;
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    @Override
    public Optional<Leader> leader() {
        return Leader.of(engine.inspect(Resource.lock(name)));
    }

    @Override
    public CompletableFuture<Optional<Leader>> leaderAsync() {
        return engine.onCallbackExecutor(elections.look(name));
    }

    @Override
    public Observation observe(Consumer<? super Optional<Leader>> listener) {
        return elections.observe(name, Objects.requireNonNull(listener, "the listener must not be null"));
    }

    @Override
    public String toString() {
        return "Election[" + Messages.line(name) + (value == null ? "" : ", " + value) + "]";
    }
}
