package io.holdfast.cas;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The kernel, in simulated time, on a register that loses, delays and repeats its commands")
class FaultTest {

    private static final int SEEDS = 20;
    private static final int CLIENTS = 5;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final long SECOND = 1_000_000_000L;
    private static final Owner OWNER = new Owner("client", "host", 1, "thread");

    private static Claim claim(String client, int number, QueuePolicy policy, Duration lease) {
        return new Claim("name", client + ":" + number, Mode.EXCLUSIVE, lease, 1, OWNER, policy, 1, ClaimOptions.NONE);
    }

    private static CasStore store(Register register, SimulatedTime time, long writer) {
        return new CasStore(register, Duration.ofSeconds(5), time::now, time, writer, new Random(writer));
    }

    /** What one client believes, as the engine would: from when it sent the command that was answered. */
    private static final class World {

        final SimulatedTime time = new SimulatedTime();
        final Random dice;
        final MemoryRegister cells;
        final int permille;
        long lastToken;
        int grants;
        String holder = "";
        long holderUntil;

        World(long seed, boolean revisions, int permille) {
            this.dice = new Random(seed);
            this.cells = new MemoryRegister(revisions);
            this.permille = permille;
        }

        void granted(String id, long token, long until) {
            if (until <= time.now()) {
                return; // too late to be believed
            }
            assertThat(holder.isEmpty() || holder.equals(id) || holderUntil <= time.now())
                    .as(
                            "at %d ms: %s is granted while %s holds until %d",
                            time.now() / 1_000_000, id, holder, holderUntil / 1_000_000)
                    .isTrue();
            assertThat(token).as("the token of %s", id).isGreaterThan(lastToken);
            lastToken = token;
            holder = id;
            holderUntil = until;
            grants++;
        }

        void released(String id) {
            if (holder.equals(id)) {
                holder = "";
            }
        }
    }

    /** Takes the lock again and again, holds it for a while, and gives it back; some claims are given up, some leases run out. */
    private static final class Client {

        final World world;
        final CasStore store;
        final String name;
        int number;

        Client(World world, int index) {
            this.world = world;
            this.name = "client-" + index;
            this.store = store(
                    new FaultyRegister(world.cells.another(), world.time, world.dice, world.permille),
                    world.time,
                    index + 1);
        }

        void begin() {
            world.time.after(1 + world.dice.nextInt(50_000_000), () -> {
                number++;
                attempt(claim(name, number, QueuePolicy.BARGES, LEASE), 0);
            });
        }

        private void attempt(Claim claim, int tries) {
            long sent = world.time.now();
            store.claim(claim).whenComplete((result, failure) -> {
                if (result instanceof ClaimResult.Granted granted) {
                    world.granted(claim.id(), granted.token(), sent + LEASE.toNanos());
                    long held = world.dice.nextInt(10) == 0 ? LEASE.toNanos() : world.dice.nextInt(20_000_000);
                    world.time.after(held, () -> release(claim));
                } else if (failure == null || tries > 2) {
                    release(claim);
                } else {
                    attempt(claim, tries + 1);
                }
            });
        }

        private void release(Claim claim) {
            world.released(claim.id());
            store.release(claim).whenComplete((result, failure) -> {
                if (failure != null) {
                    world.time.after(100_000_000, () -> release(claim));
                } else {
                    begin();
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("never lets two hold at once, and tokens rise, also while lines are swept")
    void excludes(boolean revisions) {
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, revisions, 100);
            for (int i = 0; i < CLIENTS; i++) {
                new Client(world, i).begin();
            }
            CasStore sweeping = store(world.cells.another(), world.time, 1_000);
            for (int i = 0; i < 6; i++) {
                world.time.pass(10 * SECOND);
                sweeping.sweep();
            }
            assertThat(world.grants).as("grants of seed %d", seed).isGreaterThan(5);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("does not let a claim come back that came after its release")
    void fencesLateClaims(boolean revisions) {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedTime time = new SimulatedTime();
            MemoryRegister cells = new MemoryRegister(revisions);
            Late late = new Late(cells, time);
            CasStore store = store(late.register, time, 1);
            Claim claim = claim("a", 1, QueuePolicy.BARGES, Duration.ofHours(1));
            late.swallow();
            CompletionStage<ClaimResult> first = store.claim(claim);
            settle(time, first);
            settle(time, store.release(claim));
            late.comes();
            CasStore other = store(cells.another(), time, 2);
            Claim next = claim("b", 1, QueuePolicy.BARGES, LEASE);
            assertThat(settle(time, other.claim(next)).join())
                    .as("the claim of another client, right away")
                    .isInstanceOf(ClaimResult.Granted.class);
        }
    }

    /** A register whose next write is kept back, with its answer lost, until it is let through; so is every repetition before. */
    private static final class Late {

        final Register register;
        private final List<Runnable> kept = new ArrayList<>();
        private int swallows;

        Late(MemoryRegister cells, SimulatedTime time) {
            this.register = (Register) java.lang.reflect.Proxy.newProxyInstance(
                    Register.class.getClassLoader(), new Class<?>[] {Register.class}, (self, method, args) -> {
                        boolean writes = method.getName().equals("cas")
                                || method.getName().equals("create");
                        if (writes && swallows > 0) {
                            swallows--;
                            kept.add(() -> {
                                try {
                                    method.invoke(cells, args);
                                } catch (ReflectiveOperationException e) {
                                    throw new LinkageError(e.toString(), e);
                                }
                            });
                            CompletableFuture<Object> lost = new CompletableFuture<>();
                            time.after(
                                    6 * SECOND,
                                    () -> lost.completeExceptionally(
                                            new io.holdfast.StoreUnavailableException("kept back")));
                            return lost;
                        }
                        return method.invoke(cells, args);
                    });
        }

        void swallow() {
            swallows = 1;
        }

        void comes() {
            kept.forEach(Runnable::run);
        }
    }

    private static <T> CompletableFuture<T> settle(SimulatedTime time, CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(time.until(future::isDone, 60 * SECOND)).as("is answered").isTrue();
        return future;
    }

    @Test
    @DisplayName(
            "ends the ticket of a dead client within a ticket's life and a look, and keeps that of a live one without writing the line")
    void tickets() {
        SimulatedTime time = new SimulatedTime();
        MemoryRegister cells = new MemoryRegister(true);
        CasStore holder = store(cells.another(), time, 1);
        CasStore dead = store(cells.another(), time, 2);
        CasStore live = store(cells.another(), time, 3);
        Claim held = claim("a", 1, QueuePolicy.BARGES, Duration.ofHours(1));
        Claim first = claim("b", 1, QueuePolicy.QUEUES, LEASE);
        Claim second = claim("c", 1, QueuePolicy.QUEUES, LEASE);
        settle(time, holder.claim(held));
        settle(time, dead.claim(first));
        settle(time, live.claim(second));
        Entry line = cells.get("lock/name").toCompletableFuture().join().orElseThrow();
        // Both renew, for longer than a ticket lasts.
        for (int i = 0; i < 10; i++) {
            assertThat(status(time, dead, first)).isEqualTo(ClaimStatus.WAITING);
            assertThat(status(time, live, second)).isEqualTo(ClaimStatus.WAITING);
            time.pass(SECOND);
        }
        assertThat(cells.get("lock/name").toCompletableFuture().join())
                .as("the line")
                .contains(line);
        settle(time, holder.release(held));
        // The first does not renew any more: its client is dead.
        long begin = time.now();
        while (status(time, live, second) != ClaimStatus.TURN_REACHED) {
            time.pass(SECOND);
            assertThat(time.now() - begin)
                    .as("how long the dead one is in the way")
                    .isLessThanOrEqualTo(5 * SECOND);
        }
        assertThat(time.now() - begin).as("no sooner than it may").isGreaterThanOrEqualTo(2 * SECOND);
        assertThat(settle(time, live.claim(second)).join()).isInstanceOf(ClaimResult.Granted.class);
    }

    private static ClaimStatus status(SimulatedTime time, CasStore store, Claim claim) {
        Map<String, ClaimStatus> statuses =
                settle(time, store.renew(List.of(claim))).join();
        return statuses.get(claim.id());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("has tokens that rise after a name was swept and made again")
    void tokensAfterASweep(boolean revisions) {
        SimulatedTime time = new SimulatedTime();
        MemoryRegister cells = new MemoryRegister(revisions);
        long last = 0;
        for (int i = 1; i < 4; i++) {
            CasStore store = store(cells.another(), time, i);
            Claim claim = new Claim(
                    "name",
                    "a:" + i,
                    Mode.EXCLUSIVE,
                    LEASE,
                    1,
                    OWNER,
                    QueuePolicy.BARGES,
                    1,
                    ClaimOptions.tokens(1_000));
            ClaimResult.Granted granted =
                    (ClaimResult.Granted) settle(time, store.claim(claim)).join();
            assertThat(granted.token()).isGreaterThan(last);
            last = granted.token() + 999;
            settle(time, store.release(claim));
            CasStore sweeping = store(cells.another(), time, 100 + i);
            for (int round = 0; round < 8; round++) {
                settle(time, sweeping.sweep());
                time.pass(Sweeper.EVERY.toNanos());
            }
            if (!revisions) {
                assertThat(cells.get("lock/name").toCompletableFuture().join()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("lets each of 64 clients have its turns though all write one name all the time")
    void nobodyStarves() {
        SimulatedTime time = new SimulatedTime();
        MemoryRegister cells = new MemoryRegister(true);
        int clients = 64;
        int[] turns = new int[clients];
        for (int i = 0; i < clients; i++) {
            int client = i;
            CasStore store = new CasStore(
                    new FaultyRegister(cells.another(), time, new Random(i), 0),
                    Duration.ofSeconds(30),
                    time::now,
                    time,
                    i + 1,
                    new Random(i));
            shares(store, "client-" + i, 1, turns, client);
        }
        time.pass(2 * SECOND);
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int one : turns) {
            least = Math.min(least, one);
            most = Math.max(most, one);
        }
        assertThat(least).as("fewest turns, beside %d", most).isGreaterThanOrEqualTo(Math.max(1, most / 4));
    }

    private static void shares(CasStore store, String client, int number, int[] turns, int index) {
        Claim claim = new Claim(
                "name", client + ":" + number, Mode.SHARED, LEASE, 1, OWNER, QueuePolicy.BARGES, 1, ClaimOptions.NONE);
        store.claim(claim).thenCompose(granted -> store.release(claim)).thenAccept(released -> {
            turns[index]++;
            shares(store, client, number + 1, turns, index);
        });
    }
}
