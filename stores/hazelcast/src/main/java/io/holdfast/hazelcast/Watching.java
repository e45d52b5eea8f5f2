package io.holdfast.hazelcast;

import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.map.IMap;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one register, and its watched keys. Events are sent once and not acknowledged. So after everything that may have
 * lost some (a new connection, a member that came or left, a lost partition, a merge) each watch is placed anew, and its listener reads
 * what it may have missed.
 */
final class Watching {

    /** Runs a step that blocks on a thread of the register. */
    interface Threads {
        <T> CompletableFuture<T> call(Callable<T> step);
    }

    private static final Logger LOG = LoggerFactory.getLogger(HazelcastStore.class);

    private final HazelcastInstance hazelcast;
    private final Supplier<IMap<String, String>> map;
    private final Threads threads;
    private final Duration timeout;
    private final List<WatchedKey> watches = new CopyOnWriteArrayList<>();
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();
    private final List<Runnable> removals = new CopyOnWriteArrayList<>();
    private final ReentrantLock gate = new ReentrantLock();
    private final Condition opened = gate.newCondition();
    private Set<UUID> known = Set.of();
    private boolean connected;
    private boolean listening;
    private volatile boolean closed;

    /** @param timeout how long a command waits for a connection */
    Watching(HazelcastInstance hazelcast, Supplier<IMap<String, String>> map, Threads threads, Duration timeout) {
        this.hazelcast = hazelcast;
        this.map = map;
        this.threads = threads;
        this.timeout = timeout;
    }

    /** Of an own client, which connects in the background. */
    void begin(Lifecycle lifecycle) {
        lifecycle.passTo(this::changed);
    }

    /** Of an instance that the caller has, which is taken to be connected. */
    void begin() {
        UUID listener = hazelcast.getLifecycleService().addLifecycleListener(event -> changed(event.getState()));
        removals.add(() -> hazelcast.getLifecycleService().removeLifecycleListener(listener));
        connected();
    }

    /** Waits for a connection where there is none. */
    void awaitConnection() throws InterruptedException {
        gate.lock();
        try {
            long left = timeout.toNanos();
            while (!connected && !closed && left > 0) {
                left = opened.awaitNanos(left);
            }
            if (closed) {
                throw new HazelcastInstanceNotActiveException();
            }
            if (!connected) {
                throw new HazelcastClientOfflineException();
            }
        } finally {
            gate.unlock();
        }
    }

    /** False if the cluster is known to have a single member that keeps data. */
    boolean mayHaveBackups() {
        long members = hazelcast.getCluster().getMembers().stream()
                .filter(member -> !member.isLiteMember())
                .count();
        return members != 1;
    }

    private void changed(LifecycleState state) {
        switch (state) {
            case CLIENT_CONNECTED, MERGED -> connected();
            case CLIENT_DISCONNECTED -> disconnected();
            default -> {}
        }
    }

    private void connected() {
        Set<UUID> members = hazelcast.getCluster().getMembers().stream()
                .map(Member::getUuid)
                .collect(Collectors.toUnmodifiableSet());
        boolean first;
        gate.lock();
        try {
            // Hazelcast tells only clients with several clusters that they are at another one. A member that restarts
            // has a new id.
            if (!known.isEmpty() && Collections.disjoint(known, members)) {
                LOG.warn(
                        "All members of the Hazelcast cluster were restarted, and the entries that they kept are gone");
            }
            known = members;
            connected = true;
            first = !listening;
            listening = true;
            opened.signalAll();
        } finally {
            gate.unlock();
        }
        if (first) {
            threads.call(this::listen);
        }
        lookAgain();
    }

    private void disconnected() {
        gate.lock();
        try {
            connected = false;
        } finally {
            gate.unlock();
        }
    }

    private void knowing(MembershipEvent event) {
        gate.lock();
        try {
            if (connected) {
                known = event.getMembers().stream().map(Member::getUuid).collect(Collectors.toUnmodifiableSet());
            }
        } finally {
            gate.unlock();
        }
        lookAgain();
    }

    private Boolean listen() {
        UUID members = hazelcast.getCluster().addMembershipListener(new MembershipListener() {
            @Override
            public void memberAdded(MembershipEvent event) {
                knowing(event);
            }

            @Override
            public void memberRemoved(MembershipEvent event) {
                knowing(event);
            }
        });
        removals.add(() -> hazelcast.getCluster().removeMembershipListener(members));
        AtomicBoolean told = new AtomicBoolean(); // each partition is reported, of hundreds
        UUID partitions = hazelcast.getPartitionService().addPartitionLostListener(lost -> {
            if (told.compareAndSet(false, true)) {
                LOG.warn(
                        "Hazelcast has lost partition {}, perhaps others too, and the entries in it",
                        lost.getPartitionId());
            }
            lookAgain();
        });
        removals.add(() -> hazelcast.getPartitionService().removePartitionLostListener(partitions));
        return true;
    }

    /** Watches are placed anew, and the engine asks about all that it holds. */
    private void lookAgain() {
        if (!closed) {
            watches.forEach(WatchedKey::place);
            looks.forEach(Runnable::run);
        }
    }

    Subscription whenUnsure(Runnable look) {
        looks.add(look);
        return () -> looks.remove(look);
    }

    Subscription watch(String key, Consumer<@Nullable String> changed, Runnable resync) {
        WatchedKey watch = new WatchedKey(this, key, changed, resync);
        watches.add(watch);
        watch.place();
        return () -> {
            watches.remove(watch);
            watch.end();
        };
    }

    /** The map, once there is a connection. */
    IMap<String, String> connectedMap() throws InterruptedException {
        awaitConnection();
        return map.get();
    }

    IMap<String, String> map() {
        return map.get();
    }

    <T> CompletableFuture<T> call(Callable<T> step) {
        return threads.call(step);
    }

    /** Runs a step a moment later, unless this was closed. */
    void later(Runnable step) {
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> {
            if (!closed) {
                step.run();
            }
        });
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        gate.lock();
        try {
            closed = true;
            opened.signalAll();
        } finally {
            gate.unlock();
        }
    }

    /** Removes what was added to an instance that goes on without this register; it may take round trips. */
    void removeListeners() {
        removals.forEach(Runnable::run);
        watches.forEach(WatchedKey::removeNow);
    }
}
