package io.holdfast.tck;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what the engine asks of its store. */
final class CountingStore extends ForwardingStore {

    private final AtomicInteger commands = new AtomicInteger();
    private final AtomicInteger claims = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger watches = new AtomicInteger();

    CountingStore(LockStore store) {
        super(store);
    }

    /** All calls that go to the store. */
    int commands() {
        return commands.get();
    }

    int claims() {
        return claims.get();
    }

    int renewals() {
        return renewals.get();
    }

    /** How many watches are in place now. */
    int watches() {
        return watches.get();
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        commands.incrementAndGet();
        claims.incrementAndGet();
        return super.claim(claim);
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        commands.incrementAndGet();
        renewals.incrementAndGet();
        return super.renew(claims);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        commands.incrementAndGet();
        return super.release(claim);
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        commands.incrementAndGet();
        watches.incrementAndGet();
        Subscription watch = super.watch(resource, changed);
        return () -> {
            watches.decrementAndGet();
            watch.close();
        };
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        commands.incrementAndGet();
        return super.inspect(resource);
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit) {
        commands.incrementAndGet();
        return super.list(kind, prefix, limit);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        commands.incrementAndGet();
        return super.forceRelease(resource, token);
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        commands.incrementAndGet();
        return super.addPermits(name, id, by, capacity);
    }

    @Override
    protected LatchStore latches() {
        return new ForwardingLatches(super.latches()) {
            @Override
            protected <T> CompletionStage<T> pass(CompletionStage<T> answer) {
                commands.incrementAndGet();
                return answer;
            }
        };
    }
}
