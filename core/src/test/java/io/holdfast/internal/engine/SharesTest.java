package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.LockOptions;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever hands a lock on inside its process, or lets it linger, leaves the other processes their share. */
@Isolated("compares the shares of threads")
class SharesTest {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private static final long HOLD = 20 * MICRO;

    private final ManualTime time = new ManualTime(0);
    private final CountingStore memory = new CountingStore(new MemoryStore(new MemoryLocks(time), "memory"));
    private boolean grantsOnRelease = true;

    /** A process whose threads want the same lock all the time. */
    private final class Process {

        final DistributedLock lock;
        final Way way;
        long holds;
        long longestWait;

        Process(int number, LockOptions options, int threads) {
            this(number, options, threads, Way.WAITS);
        }

        Process(int number, LockOptions options, int threads, Way way) {
            this.lock = locks(engine(number)).lock("a", options);
            this.way = way;
            for (int i = 1; i <= threads; i++) {
                long owner = i;
                time.schedule(() -> take(owner), i * 7 * MICRO);
            }
        }

        private void take(long owner) {
            if (way == Way.TRIES) {
                tryToTake(owner);
            } else {
                waitFor(owner);
            }
        }

        private void tryToTake(long owner) {
            lock.tryLockAsync(owner).thenAccept(had -> {
                if (had) {
                    holds++;
                    time.schedule(() -> give(owner), HOLD);
                } else {
                    time.schedule(() -> take(owner), 5 * MICRO);
                }
            });
        }

        private void waitFor(long owner) {
            long since = time.nanos();
            lock.lockAsync(owner).thenRun(() -> {
                holds++;
                longestWait = Math.max(longestWait, time.nanos() - since);
                time.schedule(() -> give(owner), HOLD);
            });
        }

        private void give(long owner) {
            CompletableFuture<Void> given = lock.unlockAsync(owner);
            if (way == Way.HURRIES) {
                take(owner);
            } else {
                given.thenRun(() -> time.schedule(() -> take(owner), 5 * MICRO));
            }
        }
    }

    /** How the threads of a process come by the lock. */
    private enum Way {
        /** They wait for it, and for the end of their unlock. */
        WAITS,
        /** They ask again before their unlock is answered. */
        HURRIES,
        /** They try until they have it. */
        TRIES
    }

    @ParameterizedTest(name = "{0} threads against {1}, the one lingering {2} ms, the other {3} ms")
    @DisplayName("each of two processes gets a third of the holds at least, and nobody waits long for its turn")
    @CsvSource({"8, 8, 0, 0", "1, 8, 0, 0", "1, 1, 0, 0", "8, 8, 1000, 1000", "1, 1, 1000, 1000", "1, 4, 1000, 0"})
    void eachHasItsShare(int threads, int others, long lingers, long otherLingers) {
        Process one = new Process(1, LockOptions.defaults().linger(Duration.ofMillis(lingers)), threads);
        Process other = new Process(2, LockOptions.defaults().linger(Duration.ofMillis(otherLingers)), others);
        time.advance(10 * SECOND);
        long all = one.holds + other.holds;
        String seen = one.holds + " and " + other.holds + " holds, longest waits " + one.longestWait / MICRO + " and "
                + other.longestWait / MICRO + " µs";
        // By holds the one with a single thread has less to hand on; its turns come as often.
        if (threads == others) {
            assertThat(Math.min(one.holds, other.holds)).as(seen).isGreaterThan(all / 3);
        }
        // The bounded run of the others, their courtesy, and the same for those before it in its own process.
        assertThat(Math.max(one.longestWait, other.longestWait)).as(seen).isLessThan(100 * MILLI);
    }

    @ParameterizedTest(name = "granted on release: {0}")
    @DisplayName("each of twenty processes gets its turn, at the same few commands for each as with two")
    @ValueSource(booleans = {true, false})
    void twentyHaveTheirTurns(boolean grants) {
        grantsOnRelease = grants;
        List<Process> all = processes(20, 0, Way.WAITS);
        time.advance(6 * SECOND);
        assertAllHaveTheirTurns(all);
        long holds = all.stream().mapToLong(process -> process.holds).sum();
        // A ticket and a release; where the store only says whose turn it is, a claim in between. And the first few.
        long commands = holds * (grants ? 2 : 3) + all.size() * 4L;
        assertThat(memory.claims + memory.releases).isLessThanOrEqualTo(commands);
        // A hold, the way of the release and that of the notification; the way of the claim and its answer.
        long policy = HOLD + (grants ? 2 : 4) * DistantStore.WAY;
        assertThat(all).allSatisfy(process -> assertThat(process.longestWait).isLessThan(3 * all.size() * policy));
    }

    @ParameterizedTest(name = "{1}, granted on release: {0}")
    @DisplayName("a process that asks again at once, or tries all the time, takes no turn from those that wait")
    @CsvSource({"true, HURRIES", "false, HURRIES", "true, TRIES", "false, TRIES"})
    void isNotPassedAllTheTime(boolean grants, Way way) {
        grantsOnRelease = grants;
        List<Process> waiting = processes(4, 0, Way.WAITS);
        List<Process> pushing = processes(2, 4, way);
        time.advance(6 * SECOND);
        assertAllHaveTheirTurns(waiting);
        long most = waiting.stream().mapToLong(process -> process.holds).max().orElseThrow();
        assertThat(pushing).allSatisfy(process -> assertThat(process.holds).isLessThanOrEqualTo(most + 20));
    }

    private List<Process> processes(int number, int before, Way way) {
        return IntStream.rangeClosed(before + 1, before + number)
                .mapToObj(i -> new Process(i, LockOptions.defaults(), 1, way))
                .toList();
    }

    private static void assertAllHaveTheirTurns(List<Process> all) {
        LongSummaryStatistics turns =
                all.stream().mapToLong(process -> process.holds).summaryStatistics();
        assertThat(turns.getMin()).as("%s", turns).isGreaterThan(turns.getMax() / 3);
    }

    private Engine engine(int number) {
        return time.engine(number, new DistantStore());
    }

    /** The store, 100 µs away. */
    private final class DistantStore extends ForwardingStore {

        static final long WAY = 100 * MICRO;

        DistantStore() {
            super(memory);
        }

        private <T> CompletionStage<T> far(Supplier<CompletionStage<T>> command) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            time.schedule(
                    () -> command.get().thenAccept(value -> time.schedule(() -> answer.complete(value), WAY)), WAY);
            return answer;
        }

        @Override
        public StoreTraits traits() {
            StoreTraits traits = super.traits();
            return new StoreTraits(traits.guarantee(), traits.acrossProcesses(), traits.minTokens(), grantsOnRelease);
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return far(() -> super.claim(claim));
        }

        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> batch) {
            return far(() -> super.renew(batch));
        }

        @Override
        public CompletionStage<ReleaseResult> release(Claim claim) {
            return far(() -> super.release(claim));
        }

        @Override
        public Subscription watch(Resource resource, Runnable changed) {
            return super.watch(resource, () -> time.schedule(changed, WAY));
        }

        @Override
        public Subscription subscribe(String client, ClaimListener called) {
            return super.subscribe(client, new ClaimListener() {
                @Override
                public void turnReached(String claimId) {
                    time.schedule(() -> called.turnReached(claimId), WAY);
                }

                @Override
                public void revocationRequested(String claimId) {
                    time.schedule(() -> called.revocationRequested(claimId), WAY);
                }

                @Override
                public void resync() {
                    time.schedule(called::resync, WAY);
                }

                @Override
                public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                    time.schedule(() -> called.granted(claimId, ticket, grant), WAY);
                }
            });
        }
    }
}
