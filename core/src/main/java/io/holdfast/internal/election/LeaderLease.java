package io.holdfast.internal.election;

import io.holdfast.Leadership;
import io.holdfast.Lease;
import io.holdfast.internal.claim.HeldLease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The hold on the lock of an election. This client's observers look when it begins and when it has ended. */
final class LeaderLease implements Leadership {

    private final HeldLease held;
    private final @Nullable String value;
    private final Elections elections;

    private LeaderLease(HeldLease held, @Nullable String value, Elections elections) {
        this.held = held;
        this.value = value;
        this.elections = elections;
    }

    static LeaderLease of(HeldLease held, @Nullable String value, Elections elections) {
        elections.changed(held.name());
        return new LeaderLease(held, value, elections);
    }

    HeldLease held() {
        return held;
    }

    @Override
    public String name() {
        return held.name();
    }

    @Override
    public long token() {
        return held.token();
    }

    @Override
    public Optional<String> value() {
        return Optional.ofNullable(value);
    }

    @Override
    public boolean isValid() {
        return held.isValid();
    }

    @Override
    public Duration remaining() {
        return held.remaining();
    }

    @Override
    public void extend(Duration lease) {
        held.extend(lease);
    }

    @Override
    public void onLost(Consumer<? super Lease> action) {
        held.onLost(lost -> action.accept(this));
    }

    @Override
    public void closeAfter(Duration delay) {
        held.closeAfter(delay); // observers look at the lock from time to time, too
    }

    @Override
    public void close() {
        try {
            held.close();
        } finally {
            elections.changed(name());
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closed = held.closeAsync();
        closed.whenComplete((nothing, failure) -> elections.changed(name()));
        return closed;
    }

    @Override
    public String toString() {
        return "Leadership of " + held;
    }
}
