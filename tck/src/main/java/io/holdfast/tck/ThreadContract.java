package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The threads of clients. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about what is left when locks are given back
@Essential
public abstract class ThreadContract extends Contract {

    /** A thread is in the group of the thread that started it: threads of other tests don't count. */
    private final ThreadGroup group = new ThreadGroup("clients");

    @Test
    @DisplayName("go with the client that was closed")
    void areGone() throws Exception {
        inGroup(this::useClients);
        // What a driver starts once for all its users stays
        Set<Thread> before = threads();
        for (int i = 0; i < 3; i++) {
            inGroup(this::useClients);
        }
        until(
                "the threads " + names(before) + " are gone",
                SOON,
                () -> names(before).isEmpty());
    }

    private void useClients() throws Exception {
        String name = name();
        Holdfast client = client(KEPT);
        Holdfast other = client(KEPT);
        DistributedLock lock = client.lock(name);
        lock.lock();
        CompletableFuture<Lease> waiting = other.lock(name).acquireAsync();
        assertThat(other.lock(name).tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
        lock.unlock();
        await(waiting).onLost(lost -> {});
        client.close();
        other.close();
    }

    private void inGroup(Actor.Step step) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            step.run();
            return null;
        });
        new Thread(group, task, "tck-user").start();
        await(task);
    }

    private Set<Thread> threads() {
        Thread[] threads = new Thread[1_000];
        group.enumerate(threads);
        return Arrays.stream(threads).filter(Objects::nonNull).collect(Collectors.toCollection(HashSet::new));
    }

    /** The threads that came since and are not the test's own. */
    private Set<String> names(Set<Thread> before) {
        Set<Thread> now = threads();
        now.removeAll(before);
        return now.stream()
                .map(Thread::getName)
                .filter(name -> !name.equals("tck-user"))
                // The JDK's, for all that use it
                .filter(name ->
                        !name.startsWith("ForkJoinPool.commonPool") && !name.equals("CompletableFutureDelayScheduler"))
                .collect(Collectors.toSet());
    }
}
