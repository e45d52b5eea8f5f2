package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Thousands of short lives of a quorum in simulated time, each from a seed, with faults of nodes, network and clients. */
@DisplayName("A quorum in simulated time")
class QuorumSimulationTest {

    private static final int SEEDS = Integer.getInteger("holdfast.seeds", 400);
    private static final int NODES = 5;
    private static final int CLIENTS = 4;

    /** How one world is built: tests break it in one way or another. */
    private record Make(int majority, Function<Surroundings, Cleaner> cleaner) {
        static final Make SOUND = new Make(Quorum.majorityOf(NODES), Cleaner::new);
    }

    /** @param left what was still on nodes long after all clients had released everything */
    private record End(List<String> violations, List<String> left, int grants, int fewest) {}

    @Test
    @DisplayName("lets nobody in twice, has tokens rise, serves everybody and leaves nothing behind")
    void holds() {
        int grants = 0;
        long from = Long.getLong("holdfast.seed", Long.getLong("holdfast.from", 1));
        for (long seed = from; seed < from + (Long.getLong("holdfast.seed") == null ? SEEDS : 1); seed++) {
            End end = play(seed, Make.SOUND);
            assertThat(end.violations()).as("seed %d", seed).isEmpty();
            assertThat(end.left()).as("left in seed %d", seed).isEmpty();
            assertThat(end.fewest())
                    .as("grants to the least lucky one in the calm end of seed %d", seed)
                    .isPositive();
            grants += end.grants();
        }
        System.out.println("quorum: " + SEEDS + " seeds, " + grants + " grants");
        assertThat(grants).isGreaterThan(SEEDS * 20);
    }

    @Test
    @DisplayName("would let two in if less than a majority decided: the oracle notices")
    void aMinorityIsNotEnough() {
        assertThat(firstBad(
                        new Make(NODES / 2, Cleaner::new),
                        end -> !end.violations().isEmpty()))
                .isPositive();
    }

    @Test
    @DisplayName("would leave votes behind if nothing was cleaned up: the oracle notices")
    void cleaningIsNeeded() {
        Make careless = new Make(Quorum.majorityOf(NODES), world -> new Cleaner(world) {
            @Override
            void giveBack(Node node, Claim claim) {}
        });
        assertThat(firstBad(careless, end -> !end.left().isEmpty())).isPositive();
    }

    private static long firstBad(Make make, java.util.function.Predicate<End> bad) {
        for (long seed = 1; seed <= 300; seed++) {
            if (bad.test(play(seed, make))) {
                return seed;
            }
        }
        return -1;
    }

    private static End play(long seed, Make make) {
        SimWorld world = new SimWorld(seed);
        Random dice = new Random(~seed);
        List<SimNode> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            SimNode node = new SimNode(world, "node-" + i);
            node.loss = dice.nextBoolean() ? 0 : dice.nextDouble() * 0.1;
            node.delay = Duration.ofMillis(1 + dice.nextInt(20));
            nodes.add(node);
        }
        SimOracle oracle = new SimOracle(world);
        List<SimClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            SimProcess process = new SimProcess(world);
            QuorumStore store = QuorumStore.of(
                    nodes.stream().map(node -> node.reached(process)).toList(),
                    Duration.ofMillis(500),
                    make.majority(),
                    process,
                    make.cleaner().apply(process));
            SimClient client = new SimClient(world, process, store, oracle, "client-" + i);
            clients.add(client);
            client.listen();
            world.after(world.random(20_000_000), client::start);
        }
        for (int i = 0; i < 12; i++) {
            trouble(nodes, dice);
            world.play(300 + dice.nextInt(1_200));
        }
        nodes.forEach(node -> {
            node.resume();
            node.up();
            node.loss = 0;
            node.delay = Duration.ofMillis(4); // the slowest message takes a fifth of a second then
        });
        clients.forEach(SimClient::beBrief);
        List<Integer> before = clients.stream().map(SimClient::had).toList();
        world.play(15_000);
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < CLIENTS; i++) {
            fewest = Math.min(fewest, clients.get(i).had() - before.get(i));
        }
        clients.forEach(SimClient::stop);
        // Less than a lease: what is gone by then was given back.
        world.play(SimClient.LEASE.toMillis() - 500);
        List<String> left = new ArrayList<>();
        for (SimNode node : nodes) {
            LockState state = node.inside()
                    .inspect(Resource.lock("lock"))
                    .toCompletableFuture()
                    .join();
            if (clients.stream().allMatch(SimClient::isStopped)
                    && (state.isLocked() || !state.waiters().isEmpty())) {
                left.add(state.toString());
            }
        }
        return new End(oracle.violations(), left, oracle.grants(), fewest);
    }

    /** Something happens to a node, or has happened long enough. */
    private static void trouble(List<SimNode> nodes, Random dice) {
        List<SimNode> some = new ArrayList<>(nodes);
        Collections.shuffle(some, dice);
        SimNode node = some.get(0);
        switch (dice.nextInt(6)) {
            case 0 -> node.down();
            case 1 -> node.pause();
            case 2 -> node.up();
            case 3 -> node.resume();
            case 4 -> node.die(SimClient.LEASE);
            default -> node.delay = Duration.ofMillis(1 + dice.nextInt(60));
        }
    }
}
