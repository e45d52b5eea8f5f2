package io.holdfast.simulation;

import io.holdfast.Claimant;
import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One process's access to the {@link Server}: every command goes over the {@link Network}. */
final class SimStore implements QueueingStore, SemaphoreStore {

    private final SimProcess process;
    private final World world;
    private final LatchStore latches = new Latches();
    private int watches;
    private int listens;

    SimStore(SimProcess process) {
        this.process = process;
        this.world = process.world;
    }

    @Override
    public String description() {
        return "the simulated store";
    }

    @Override
    public StoreTraits traits() {
        StoreTraits traits = new StoreTraits(Guarantee.SINGLE, true);
        return world.scenario.grantsOnRelease ? traits.withGrantsOnRelease() : traits;
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        world.server.askedFor(claim);
        world.oracle.fleet().sends(process);
        return world.network.send(process, "claim", claim.name(), claim.id(), run -> world.server.claim(claim, run));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        claims.forEach(world.server::askedFor);
        Claim first = claims.get(0);
        return world.network.send(process, "renew", first.name(), first.id(), run -> world.server.renew(claims, run));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        world.server.history(claim.id()).releaseSent();
        world.oracle.fleet().sends(process);
        return world.network.send(
                process, "release", claim.name(), claim.id(), run -> world.server.release(claim, process, run));
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        Server.Watch watch = new Server.Watch(process, changed);
        watches++;
        world.network.sendQuietly(process, () -> world.server.add(resource.name(), watch));
        return () -> {
            watches--;
            world.network.sendSurely(() -> world.server.remove(resource.name(), watch));
        };
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        Server.Listen listen = new Server.Listen(process, listener);
        listens++;
        world.network.sendQuietly(process, () -> world.server.add(listen));
        return () -> {
            listens--;
            world.network.sendSurely(() -> world.server.remove(listen));
        };
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return world.network.send(
                process, "addPermits", name, id, run -> world.server.addPermits(name, id, by, capacity, run));
    }

    /** How often this client listens for calls. */
    int listens() {
        return listens;
    }

    /** How many watches are open here. */
    int watches() {
        return watches;
    }

    @Override
    public String shard(String name) {
        return world.scenario.sharded ? name : "";
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return world.network.send(
                process, "inspect", resource.name(), "", run -> timeless(world.server.state(resource.name())));
    }

    /** Without the store's wall clock, which is not that of the world. */
    private static LockState timeless(LockState state) {
        return new LockState(
                state.name(),
                state.permits(),
                state.holders().stream()
                        .map(holder -> new Claimant(
                                holder.claimId(),
                                holder.mode(),
                                holder.permits(),
                                holder.client(),
                                holder.host(),
                                holder.process(),
                                holder.thread(),
                                holder.token(),
                                holder.holds(),
                                null,
                                holder.timeLeft()))
                        .toList(),
                List.of());
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit) {
        throw new UnsupportedOperationException("nobody here looks");
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        throw new UnsupportedOperationException("the world forces, see Chaos");
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
        return type.isInstance(latches) ? type.cast(latches) : QueueingStore.super.capability(type);
    }

    @Override
    public void close() {}

    /** Latches, by the same way. */
    private final class Latches implements LatchStore {

        @Override
        public CompletionStage<LatchState> set(String name, String id, long count) {
            return world.network.send(
                    process, "set", name, id, run -> world.server.gates().set(name, id, count));
        }

        @Override
        public CompletionStage<LatchState> countDown(String name, String id) {
            return world.network.send(
                    process, "countDown", name, id, run -> world.server.gates().countDown(name, id));
        }

        @Override
        public CompletionStage<LatchState> look(String name) {
            return world.network.send(
                    process, "look", name, "", run -> world.server.gates().look(name));
        }

        @Override
        public CompletionStage<Boolean> delete(String name, String id) {
            return world.network.send(
                    process, "delete", name, id, run -> world.server.gates().delete(name, id));
        }
    }
}
