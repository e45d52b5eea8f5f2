package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.internal.memory.MemoryLatches;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same commands at random, to this store by two processes and to the in-memory one, with time standing still: whatever
 * the one answers, the other does.
 */
@DisplayName("The same commands get the same answers as from the in-memory store")
class SameAsMemoryTest {

    private static final int COMMANDS = 600;
    private static final Owner OWNER = new Owner("client", "host", 1, "thread");

    private static TestingServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer(Loopback.server(), true);
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    private static ZooKeeperStore open() {
        return ZooKeeperStore.open("zookeeper://" + server.getConnectString(), Duration.ofSeconds(5), () -> 0L);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @DisplayName("for claims of all kinds")
    void claims(long seed) {
        try (ZooKeeperStore one = open();
                ZooKeeperStore two = open()) {
            new Claims(seed, List.of(one, two)).run();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    @DisplayName("for latches")
    void latches(long seed) {
        Random random = new Random(seed);
        MemoryLatches memory = new MemoryLatches();
        try (ZooKeeperStore one = open();
                ZooKeeperStore two = open()) {
            for (int i = 0; i < COMMANDS; i++) {
                LatchStore store = (random.nextBoolean() ? one : two).latches();
                String name = "latch-" + seed + "-" + random.nextInt(2);
                String id = "id-" + random.nextInt(i / 10 + 1);
                long count = random.nextInt(4);
                switch (random.nextInt(5)) {
                    case 0 -> assertThat(answer(store.set(name, id, count))).isEqualTo(memory.set(name, id, count));
                    case 1 -> assertThat(answer(store.look(name))).isEqualTo(memory.look(name));
                    case 2 -> {
                        String set = memory.look(name).id();
                        assertThat(answer(store.delete(name, set))).isEqualTo(memory.delete(name, set));
                    }
                    default -> assertThat(answer(store.countDown(name, id))).isEqualTo(memory.countDown(name, id));
                }
            }
        }
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static final class Claims {

        private final Random random;
        private final long seed;
        private final List<ZooKeeperStore> stores;
        private final MemoryLocks memory = new MemoryLocks(() -> 0L);
        private final List<Claim> made = new ArrayList<>();
        private final Map<String, Long> tokens = new HashMap<>();
        private final Map<String, Long> lastToken = new HashMap<>();
        private int step;

        Claims(long seed, List<ZooKeeperStore> stores) {
            this.seed = seed;
            this.random = new Random(seed);
            this.stores = stores;
        }

        void run() {
            for (step = 0; step < COMMANDS; step++) {
                ZooKeeperStore store = stores.get(random.nextInt(stores.size()));
                switch (random.nextInt(12)) {
                    case 0, 1, 2 -> claim(store, newClaim());
                    case 3, 4, 5 -> claim(store, someClaim());
                    case 6, 7, 8 -> release(store, someClaim());
                    case 9 -> renew(store);
                    case 10 -> {
                        if (random.nextInt(4) == 0) {
                            force(store);
                        }
                    }
                    default -> addPermits(store);
                }
                inspect(store, someClaim());
            }
        }

        private String name(ResourceType kind) {
            return kind + "-" + seed + "-" + random.nextInt(2);
        }

        private Claim newClaim() {
            Mode mode = Mode.values()[random.nextInt(3)];
            int permits = mode == Mode.PERMITS ? 1 + random.nextInt(4) : 1;
            String compatibleWith = mode == Mode.SHARED && random.nextInt(4) == 0 && !made.isEmpty()
                    ? someClaim().id()
                    : null;
            Claim claim = new Claim(
                    name(mode.type()),
                    "client-" + seed + ":" + made.size(),
                    mode,
                    Duration.ofSeconds(30),
                    1 + random.nextInt(3),
                    OWNER,
                    QueuePolicy.values()[random.nextInt(4)],
                    permits,
                    ClaimOptions.tokens(random.nextInt(20) == 0 ? 10_000 : 1 + random.nextInt(64))
                            .withCapacity(mode == Mode.PERMITS ? 5 : 1)
                            .withCompatible(compatibleWith));
            made.add(claim);
            return claim;
        }

        /** Mostly one of late. */
        private Claim someClaim() {
            return made.isEmpty() ? newClaim() : made.get(Math.max(0, made.size() - 1 - random.nextInt(12)));
        }

        private void claim(ZooKeeperStore store, Claim claim) {
            Object expected = outcome(() -> memory.claim(claim, new ArrayList<>()));
            Object actual = outcome(() -> answer(store.claim(claim)));
            assertThat(kind(actual)).as(said("claim " + claim)).isEqualTo(kind(expected));
            if (actual instanceof ClaimResult.Granted granted) {
                Long before = tokens.put(claim.id(), granted.token());
                boolean again = expected instanceof ClaimResult.Granted && before != null && before == granted.token();
                if (!again) {
                    assertThat(granted.token())
                            .as(said("token of " + claim))
                            .isGreaterThan(lastToken.getOrDefault(key(claim), 0L));
                    lastToken.put(key(claim), granted.token() + claim.tokens() - 1);
                }
            }
        }

        private static String key(Claim claim) {
            return claim.type() + claim.name();
        }

        private static Object outcome(Supplier<ClaimResult> claim) {
            try {
                return claim.get();
            } catch (StoreRefusedException e) {
                return e;
            } catch (CompletionException e) {
                return e.getCause();
            }
        }

        private static String kind(Object outcome) {
            return outcome.getClass().getSimpleName();
        }

        private void release(ZooKeeperStore store, Claim claim) {
            assertThat(answer(store.release(claim)).held())
                    .as(said("release " + claim))
                    .isEqualTo(memory.release(claim).held());
        }

        private void renew(ZooKeeperStore store) {
            List<Claim> claims = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                Claim claim = someClaim().withHolds(1 + random.nextInt(3));
                if (claims.stream().noneMatch(other -> other.id().equals(claim.id()))) {
                    claims.add(
                            claim.permits() > 1 && random.nextBoolean()
                                    ? claim.withPermits(claim.permits() - 1)
                                    : claim);
                }
            }
            // One at a time: how a claim stands may depend on another that is in the same batch.
            for (Claim claim : claims) {
                assertThat(answer(store.renew(List.of(claim))))
                        .as(said("renew " + claim))
                        .isEqualTo(memory.renew(List.of(claim), new ArrayList<>()));
            }
        }

        private void force(ZooKeeperStore store) {
            ResourceType kind = random.nextBoolean() ? ResourceType.LOCK : ResourceType.SEMAPHORE;
            String name = name(kind);
            assertThat(answer(store.forceRelease(new Resource(kind, name), OptionalLong.empty())))
                    .as(said("force " + name))
                    .isEqualTo(memory.forceRelease(new Resource(kind, name), OptionalLong.empty())
                            .held());
        }

        private void addPermits(ZooKeeperStore store) {
            String name = name(ResourceType.SEMAPHORE);
            String id = "add-" + random.nextInt(step / 20 + 1);
            int by = random.nextInt(5) - 2;
            assertThat(answer(store.addPermits(name, id, by, 5)))
                    .as(said("add " + by))
                    .isEqualTo(memory.addPermits(name, id, by, 5, new ArrayList<>()));
        }

        private void inspect(ZooKeeperStore store, Claim claim) {
            LockState expected = memory.inspect(claim.resource());
            LockState actual = answer(store.inspect(claim.resource()));
            assertThat(actual.permits()).as(said("permits")).isEqualTo(expected.permits());
            assertThat(shown(actual.holders())).as(said("holders")).isEqualTo(shown(expected.holders()));
            assertThat(shown(actual.waiters())).as(said("waiters")).isEqualTo(shown(expected.waiters()));
        }

        private static List<String> shown(List<Claimant> claimants) {
            return claimants.stream()
                    .map(one -> one.claimId() + " " + one.mode() + " " + one.permits() + " "
                            + (one.token() == null ? "" : one.holds()))
                    .toList();
        }

        private String said(String what) {
            return "seed " + seed + ", step " + step + ": " + what;
        }
    }
}
