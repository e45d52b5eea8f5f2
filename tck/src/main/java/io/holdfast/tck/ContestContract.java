package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that ask for the same free locks at once and do not wait: one of them gets them, every time. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class ContestContract extends Contract {

    private static final int ROUNDS = 12;

    /** The ways to ask for several locks without waiting for them. */
    enum Way {
        TRY {
            @Override
            @Nullable
            Lease ask(DistributedLock lock) {
                return lock.tryLock() ? lock.lease() : null;
            }
        },
        TRY_LEASED {
            @Override
            @Nullable
            Lease ask(DistributedLock lock) throws InterruptedException {
                return lock.tryLock(-1, LONG.toSeconds(), TimeUnit.SECONDS) ? lock.lease() : null;
            }
        },
        TRY_HANDLE {
            @Override
            @Nullable
            Lease ask(DistributedLock lock) throws InterruptedException {
                return lock.tryAcquire(Duration.ZERO).orElse(null);
            }
        },
        TRY_ASYNC {
            @Override
            @Nullable
            Lease ask(DistributedLock lock) throws Exception {
                Optional<Lease> had = await(lock.tryAcquireAsync(Duration.ZERO));
                return had.orElse(null);
            }
        };

        abstract @Nullable Lease ask(DistributedLock lock) throws Exception;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("exactly one of ten threads of a client gets a multi-lock that is free")
    void oneThreadWins(Way way) throws Exception {
        Holdfast client = client();
        List<DistributedLock> asked = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            asked.add(of(client, "a" + round, "b" + round, "c" + round));
        }
        List<List<DistributedLock>> rivals = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            rivals.add(asked);
        }
        assertThat(winners(rivals, List.of(way))).containsOnly(1);
    }

    @Essential
    @Test
    @DisplayName(
            "exactly one of eight threads of four clients gets a multi-lock that is free, in whatever order it has its locks")
    void oneClientWins() throws Exception {
        List<List<DistributedLock>> rivals = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Holdfast client = client();
            List<DistributedLock> asked = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                asked.add(
                        i % 2 == 0
                                ? of(client, "a" + round, "b" + round, "c" + round)
                                : of(client, "c" + round, "a" + round, "b" + round));
            }
            rivals.add(asked);
            rivals.add(asked);
        }
        assertThat(winners(rivals, List.of(Way.TRY, Way.TRY_LEASED, Way.TRY_HANDLE)))
                .containsOnly(1);
    }

    @Test
    @DisplayName("one of several clients gets its multi-lock, where each has other locks and they overlap in a circle")
    void oneOfACircleWins() throws Exception {
        List<List<DistributedLock>> rivals = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Holdfast client = client();
            List<DistributedLock> asked = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                asked.add(
                        switch (i) {
                            case 0 -> of(client, "a" + round, "b" + round);
                            case 1 -> of(client, "b" + round, "c" + round);
                            default -> of(client, "c" + round, "a" + round);
                        });
            }
            rivals.add(asked);
            rivals.add(asked);
        }
        assertThat(winners(rivals, List.of(Way.TRY, Way.TRY_HANDLE))).containsOnly(1);
    }

    @Test
    @DisplayName(
            "nobody gets a multi-lock of which one lock is held, and each is told so by the commands that it takes to know")
    void nobodyWinsWhatIsHeld() throws Exception {
        Holdfast holder = client();
        CountingStore counting = new CountingStore(store().newStore());
        Holdfast client = client(counting, LONG);
        DistributedLock held = holder.lock(name("b"));
        held.lock();
        DistributedLock multi = of(client, "a", "b", "c");
        for (int i = 0; i < 5; i++) {
            int before = counting.claims();
            assertThat(multi.tryLock()).isFalse();
            assertThat(counting.claims() - before).as("claims for a and b").isEqualTo(2);
        }
        assertThat(winners(List.of(List.of(multi), List.of(multi), List.of(multi)), List.of(Way.TRY)))
                .containsOnly(0);
        held.unlock();
        assertThat(multi.tryLock()).isTrue();
        multi.unlock();
        for (String name : List.of("a", "b", "c")) {
            Onlooker.of(holder, name(name)).seesNobody();
        }
    }

    private DistributedLock of(Holdfast client, String... names) {
        return Holdfast.multiLock(
                Arrays.stream(names).map(name -> client.lock(name(name))).toArray(DistributedLock[]::new));
    }

    /** How many get what they ask for in each round, where all ask at once, and keep what they get until all are answered. */
    private List<Integer> winners(List<List<DistributedLock>> rivals, List<Way> ways) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(rivals.size());
        List<Future<List<Boolean>>> all = new ArrayList<>();
        for (int i = 0; i < rivals.size(); i++) {
            List<DistributedLock> asked = rivals.get(i);
            Way way = ways.get(i % ways.size());
            all.add(actor("rival-" + i).begins(() -> wins(asked, way, barrier)));
        }
        awaitAll(all);
        List<Integer> winners = new ArrayList<>();
        for (int round = 0; round < rivals.get(0).size(); round++) {
            int won = 0;
            for (Future<List<Boolean>> one : all) {
                won += await(one).get(round) ? 1 : 0;
            }
            winners.add(won);
        }
        return winners;
    }

    private static List<Boolean> wins(List<DistributedLock> asked, Way way, CyclicBarrier barrier) throws Exception {
        List<Boolean> won = new ArrayList<>();
        for (DistributedLock lock : asked) {
            barrier.await(WORK.toSeconds(), TimeUnit.SECONDS);
            Lease had = way.ask(lock);
            won.add(had != null);
            barrier.await(WORK.toSeconds(), TimeUnit.SECONDS);
            if (had != null) {
                had.close();
            }
        }
        return won;
    }
}
