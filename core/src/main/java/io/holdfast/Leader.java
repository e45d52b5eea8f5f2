package io.holdfast;

import io.holdfast.internal.CandidateText;
import io.holdfast.spi.Mode;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leader of an election, as the store knew it at one moment. Two are equal if they are the same leadership with the same value.
 *
 * @param election the name of the election
 * @param token the fencing token of the leadership
 * @param value what the leader shows its followers, or {@code null}
 * @param client the name or uuid of its client
 * @param host the host that it runs on
 * @param process its process id
 * @param since since when it leads, by the store's clock
 */
public record Leader(
        String election,
        long token,
        @Nullable String value,
        @Nullable String client,
        @Nullable String host,
        @Nullable Long process,
        @Nullable Instant since) {

    /** The leader among the holders of a lock; empty if the lock is free, or held by what is no candidate. */
    public static Optional<Leader> of(LockState state) {
        return state.holders().stream()
                .filter(holder -> holder.mode() == Mode.EXCLUSIVE && holder.token() != null)
                .filter(holder -> CandidateText.isCandidate(holder.thread()))
                .map(holder -> new Leader(
                        state.name(),
                        Objects.requireNonNull(holder.token()),
                        CandidateText.value(Objects.requireNonNull(holder.thread())),
                        holder.client(),
                        holder.host(),
                        holder.process(),
                        holder.since()))
                .findFirst();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Leader that
                && election.equals(that.election)
                && token == that.token
                && Objects.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(election, token);
    }
}
