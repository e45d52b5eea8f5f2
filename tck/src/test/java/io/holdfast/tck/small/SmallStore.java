package io.holdfast.tck.small;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.holdfast.Claimant;
import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.support.ClaimLine;
import io.holdfast.spi.support.CommandContext;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The mandatory part of a store and nothing else, in the memory of this JVM: no queue, no semaphores, no latches. */
final class SmallStore implements LockStore {

    private static final Map<String, SmallStore> STORES = new ConcurrentHashMap<>();

    private final String uri;
    private final Map<String, LineState> locks = new LinkedHashMap<>();
    private final Map<Resource, List<Runnable>> watches = new ConcurrentHashMap<>();
    private long lastToken;

    private SmallStore(String uri) {
        this.uri = uri;
    }

    static SmallStore of(String uri) {
        return STORES.computeIfAbsent(uri, SmallStore::new);
    }

    /** Loads the lock, applies a command, and saves it. */
    private <T> T apply(String name, Function<ClaimLine, T> command) {
        T answer;
        LineUpdate update;
        synchronized (this) {
            ClaimLine line = new ClaimLine(
                    locks.getOrDefault(name, LineState.EMPTY),
                    new CommandContext(System.nanoTime(), Instant.now(), lastToken + 1, 0));
            answer = command.apply(line);
            update = line.update();
            locks.put(name, update.state());
            lastToken = Math.max(lastToken, update.state().lastToken());
        }
        if (update.freed()) {
            watches.getOrDefault(Resource.lock(name), List.of()).forEach(Runnable::run);
        }
        return answer;
    }

    @Override
    public String description() {
        return uri;
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(Guarantee.LOCAL, false);
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        if (claim.policy().queues() || claim.revocable() || claim.grantOnRelease()) {
            throw new AssertionError("a store without a queue is asked for " + claim);
        }
        return completedStage(apply(claim.name(), line -> line.claim(claim)));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        Map<String, ClaimStatus> statuses = new LinkedHashMap<>();
        for (Claim claim : claims) {
            ClaimStatus status = apply(claim.name(), line -> line.renew(claim));
            if (status != null) {
                statuses.put(claim.id(), status);
            }
        }
        return completedStage(statuses);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        boolean held = apply(claim.name(), line -> line.release(claim));
        return completedStage(new ReleaseResult(held, held && watches.containsKey(claim.resource())));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        return completedStage(apply(resource.name(), line -> line.forceRelease(token)));
    }

    @Override
    public synchronized CompletionStage<Void> raiseTokens(long above) {
        lastToken = Math.max(lastToken, above);
        return completedStage(null);
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return completedStage(state(resource.name()));
    }

    @Override
    public synchronized CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return completedStage(List.copyOf(locks.keySet()).stream()
                .filter(name -> name.startsWith(prefix))
                .map(this::state)
                .filter(LockState::isLocked)
                .limit(limit)
                .toList());
    }

    private LockState state(String name) {
        LineState state = apply(name, line -> line.update().state());
        return new LockState(
                name, state.holders().stream().map(SmallStore::claimant).toList(), List.of());
    }

    private static Claimant claimant(LineEntry entry) {
        Claim its = entry.claim();
        return new Claimant(
                its.id(),
                its.mode(),
                1,
                its.owner().client(),
                its.owner().host(),
                its.owner().process(),
                its.owner().thread(),
                entry.token(),
                its.holds(),
                entry.since(),
                Duration.ofNanos(entry.endsAt() - System.nanoTime()));
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        watches.computeIfAbsent(resource, unused -> new CopyOnWriteArrayList<>())
                .add(changed);
        changed.run();
        return () -> watches.get(resource).remove(changed);
    }

    @Override
    public void close() {}
}
