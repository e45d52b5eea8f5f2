package io.holdfast.quorum;

import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import io.holdfast.tck.ForwardingStore;
import io.holdfast.tck.HintListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A node behind a simulated network: commands and answers are late, overtake each other and get lost; the node goes away,
 * stands still, and comes back without its data. Its clock runs at a speed of its own, and its tokens follow it.
 */
final class SimNode {

    private final SimWorld world;
    private final String name;
    private final double speed;
    private final long ahead;
    private final List<Runnable> whilePaused = new ArrayList<>();
    private final List<Consumer<LockStore>> hearing = new ArrayList<>();
    private LockStore locks;
    private boolean down;
    private boolean dead;
    private boolean paused;

    /** How likely it is that a message is lost. */
    double loss;

    /** How long a message takes at most. */
    Duration delay = Duration.ofMillis(2);

    SimNode(SimWorld world, String name) {
        this.world = world;
        this.name = name;
        this.speed = 0.996 + world.random(9) / 1_000.0;
        this.ahead = world.random(50_000);
        forget();
    }

    void forget() {
        locks = new MemoryStore(new MemoryLocks(() -> (long) (world.nanos() * speed)), name);
        hearing.forEach(each -> each.accept(locks));
    }

    /** Watchers of the node stay registered when it comes back. */
    private Subscription heard(Consumer<LockStore> hear) {
        hearing.add(hear);
        hear.accept(locks);
        return () -> hearing.remove(hear);
    }

    private void tell(SimProcess client, Runnable hint) {
        if (!down && !dead && !paused && !world.chance(loss)) {
            client.after(way(), hint);
        }
    }

    void down() {
        down = true;
    }

    /** It dies, and comes back without its data as late as it must. */
    void die(Duration longestLease) {
        if (dead) {
            return;
        }
        dead = true;
        world.trace("    " + name + " dies");
        world.after(longestLease.toNanos() * 102 / 100, () -> {
            world.trace("    " + name + " comes back empty");
            forget();
            dead = false;
        });
    }

    void up() {
        down = false;
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        List<Runnable> held = List.copyOf(whilePaused);
        whilePaused.clear();
        held.forEach(task -> world.after(world.random(1_000_000), task));
    }

    /** What it has, asked without the network. */
    LockStore inside() {
        return locks;
    }

    /** One client's way to the node. */
    LockStore reached(SimProcess client) {
        return new ForwardingStore(locks) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                return sent(client, "claim " + claim.id(), () -> {
                    long micros = (long) (world.nanos() * speed) / 1_000 + ahead;
                    return locks.claim(claim.withMinToken(Math.max(claim.minToken(), firstTokenOf(claim, micros))));
                });
            }

            @Override
            public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                return sent(client, "renew " + claims.get(0).id(), () -> locks.renew(claims));
            }

            @Override
            public Subscription watch(Resource resource, Runnable changed) {
                return heard(store -> store.watch(resource, () -> tell(client, changed)));
            }

            @Override
            public Subscription subscribe(String name, ClaimListener listener) {
                ClaimListener late = new HintListener(
                        id -> tell(client, () -> listener.turnReached(id)), () -> tell(client, listener::resync));
                return heard(store -> ((QueueingStore) store).subscribe(name, late));
            }

            @Override
            public CompletionStage<ReleaseResult> release(Claim claim) {
                return sent(client, "release " + claim.id(), () -> locks.release(claim));
            }
        };
    }

    /** The clock counts for new grants only: what is held keeps its token. */
    private long firstTokenOf(Claim claim, long micros) {
        boolean held = locks.inspect(claim.resource()).toCompletableFuture().join().holders().stream()
                .anyMatch(holder -> holder.claimId().equals(claim.id()));
        return held ? 0 : micros;
    }

    private <T> CompletionStage<T> sent(SimProcess client, String what, Supplier<CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (world.chance(loss)) {
            lost(client, answer);
            return answer;
        }
        world.after(way(), () -> arrived(client, what, command, answer));
        return answer;
    }

    private <T> void arrived(
            SimProcess client, String what, Supplier<CompletionStage<T>> command, CompletableFuture<T> answer) {
        if (down || dead) {
            lost(client, answer);
        } else if (paused) {
            whilePaused.add(() -> arrived(client, what, command, answer));
        } else {
            T value = command.get().toCompletableFuture().join();
            world.trace("    " + name + " " + what + ": " + value);
            if (world.chance(loss)) {
                lost(client, answer);
            } else {
                client.after(way(), () -> answer.complete(value));
            }
        }
    }

    /** The client notices, or never hears anything. */
    private <T> void lost(SimProcess client, CompletableFuture<T> answer) {
        if (world.chance(0.7)) {
            client.after(way(), () -> answer.completeExceptionally(new StoreUnavailableException(name + " is away")));
        }
    }

    private long way() {
        long most = delay.toNanos();
        return world.chance(0.02) ? world.random(most * 50) : most / 20 + world.random(most);
    }
}
