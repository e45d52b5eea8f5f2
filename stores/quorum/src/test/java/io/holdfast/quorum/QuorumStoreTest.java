package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Claimant;
import io.holdfast.DistributedLock;
import io.holdfast.Guarantee;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.quorum.FaultyNode.Fault;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreTraits;
import io.holdfast.tck.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A quorum of five")
@Timeout(30)
class QuorumStoreTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Owner OWNER = new Owner("c", "h", 1, "t");

    private final String name = "quorum-" + UUID.randomUUID();
    private final List<FaultyNode> nodes = nodes();
    private final QuorumStore store = QuorumStore.of(nodes, Duration.ofMillis(200));
    private final String client = UUID.randomUUID().toString();
    private final AtomicInteger made = new AtomicInteger();

    @AfterEach
    void close() {
        store.close();
    }

    private List<FaultyNode> nodes() {
        List<FaultyNode> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(new FaultyNode(name + "-" + i));
        }
        return all;
    }

    private void faulty(Fault fault, int... which) {
        for (int i : which) {
            nodes.get(i).with(fault);
        }
    }

    private Claim exclusive() {
        return claim(Mode.EXCLUSIVE, QueuePolicy.BARGES);
    }

    private Claim claim(Mode mode, QueuePolicy policy) {
        return new Claim(
                "lock", client + ":" + made.incrementAndGet(), mode, LEASE, 1, OWNER, policy, 1, ClaimOptions.NONE);
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static void until(String what, Duration within, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + within.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("until %s", what).isLessThan(end);
            Thread.sleep(5);
        }
    }

    private long granted(Claim claim) throws Exception {
        ClaimResult outcome = answer(store.claim(claim));
        assertThat(outcome).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) outcome).token();
    }

    private List<String> holders(int node) throws Exception {
        return answer(FaultyNode.memory(name + "-" + node).inspect(Resource.lock("lock"))).holders().stream()
                .map(Claimant::claimId)
                .toList();
    }

    private void nothingIsLeft() throws Exception {
        for (int i = 0; i < 5; i++) {
            int node = i;
            until("node " + i + " has nothing", SOON, () -> holders(node).isEmpty());
        }
        until("nothing is under way", SOON, () -> store.inUse() == 0);
    }

    @Test
    @DisplayName("has given a lock back when the node that is asked first has it back, too")
    void releasesAtTheLeader() throws Exception {
        Claim held = exclusive();
        granted(held);
        faulty(Fault.HUNG, 0);
        CompletableFuture<ReleaseResult> release = store.release(held).toCompletableFuture();
        assertThat(release).isNotDone();
        nodes.get(0).resume();
        assertThat(answer(release).held()).isTrue();
        granted(claim(Mode.EXCLUSIVE, QueuePolicy.QUEUES));
    }

    /** The machine's clock and timers, with a clock that can be moved on. */
    private static final class Later implements Surroundings {

        private final Machine machine = new Machine();
        volatile Duration by = Duration.ZERO;

        @Override
        public long nanos() {
            return machine.nanos() + by.toNanos();
        }

        @Override
        public Runnable after(long nanos, Runnable task) {
            return machine.after(nanos, task);
        }

        @Override
        public long random(long bound) {
            return machine.random(bound);
        }

        @Override
        public void close() {
            machine.close();
        }
    }

    @Test
    @DisplayName(
            "gives a lock back that was extended for far longer than its first lease, also at a node that was away")
    void remembersAnExtendedLease() throws Exception {
        Later world = new Later();
        try (QuorumStore later = QuorumStore.of(nodes, Duration.ofMillis(200), 3, world, new Cleaner(world))) {
            Claim held = exclusive();
            for (int[] away : new int[][] {{0, 1}, {3, 4}}) {
                Claim other = exclusive();
                faulty(Fault.DOWN, away);
                assertThat(answer(later.claim(other))).isInstanceOf(ClaimResult.Granted.class);
                faulty(Fault.NONE, away);
                assertThat(answer(later.claim(held))).isInstanceOf(ClaimResult.Busy.class); // votes that it gave back
                answer(later.release(other));
            }
            until("it is granted", SOON, () -> answer(later.claim(held)) instanceof ClaimResult.Granted);
            assertThat(holders(4)).as("it has another id there").isNotEqualTo(holders(2));
            Claim extended = held.withLease(Duration.ofMinutes(10));
            assertThat(answer(later.renew(List.of(extended)))).containsValue(ClaimStatus.HELD);
            world.by = Duration.ofMinutes(5);
            answer(later.claim(exclusive())); // what is not used any more is forgotten
            faulty(Fault.DOWN, 3);
            assertThat(answer(later.release(held)).held()).as("it was held").isTrue();
            world.by = Duration.ofMinutes(7);
            faulty(Fault.NONE, 3);
            nothingIsLeft();
        }
    }

    /** Has the nodes 0 and 1 miss it, so that only a bare majority has it. */
    private Claim onABareMajority() throws Exception {
        faulty(Fault.DOWN, 0, 1);
        Claim held = exclusive();
        granted(held);
        faulty(Fault.NONE, 0, 1);
        until("nodes 0 and 1 answer again", SOON, () -> {
            Claim probe = exclusive();
            answer(store.claim(probe));
            answer(store.release(probe));
            return holders(0).isEmpty() && holders(1).isEmpty();
        });
        return held;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = QueuePolicy.class,
            names = {"BARGES", "BARGES_OR_QUEUES"})
    @DisplayName("gives a writer its read lock though a waiter has the leader's vote already and keeps it")
    void standsBesideOnABareMajority(QueuePolicy policy) throws Exception {
        Claim writer = onABareMajority();
        Claim waiter = claim(Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        assertThat(answer(store.claim(waiter))).isInstanceOf(ClaimResult.Busy.class);
        assertThat(holders(0)).as("it has the leader's vote").hasSize(1);
        Claim compatibleWith = claim(Mode.SHARED, policy);
        Claim reader = new Claim(
                "lock",
                compatibleWith.id(),
                Mode.SHARED,
                LEASE,
                1,
                OWNER,
                policy,
                1,
                ClaimOptions.NONE.withCompatible(writer.id()));
        granted(reader);
        answer(store.release(writer));
        assertThat(answer(store.claim(waiter))).isInstanceOf(ClaimResult.Busy.class);
        answer(store.release(reader));
        granted(waiter);
        answer(store.release(waiter));
        nothingIsLeft();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "HUNG", "LOSSY"})
    @DisplayName("works with two away, whichever they are")
    void worksWithoutTwo(Fault fault) throws Exception {
        for (int first = 0; first < 5; first++) {
            nodes.forEach(FaultyNode::resume);
            faulty(fault, first, (first + 2) % 5);
            for (QueuePolicy policy : QueuePolicy.values()) {
                for (Mode mode : List.of(Mode.EXCLUSIVE, Mode.SHARED)) {
                    Claim claim = claim(mode, policy);
                    granted(claim);
                    assertThat(answer(store.renew(List.of(claim)))).containsEntry(claim.id(), ClaimStatus.HELD);
                    assertThat(answer(store.claim(exclusive()))).isInstanceOf(ClaimResult.Busy.class);
                    assertThat(answer(store.inspect(Resource.lock("lock"))).holders())
                            .extracting(Claimant::claimId)
                            .containsExactly(claim.id());
                    assertThat(answer(store.release(claim)).held()).isTrue();
                }
            }
        }
        nodes.forEach(FaultyNode::resume);
        nothingIsLeft();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "HUNG"})
    @DisplayName("refuses everything in bounded time with three away, and says so")
    void refusesWithoutThree(Fault fault) throws Exception {
        Claim held = exclusive();
        granted(held);
        faulty(fault, 0, 2, 3);
        List<CompletionStage<?>> all = new ArrayList<>();
        for (QueuePolicy policy : QueuePolicy.values()) {
            all.add(store.claim(claim(Mode.EXCLUSIVE, policy)));
        }
        all.add(store.renew(List.of(held)));
        all.add(store.inspect(Resource.lock("lock")));
        all.add(store.list(ResourceType.LOCK, "", 10));
        all.add(store.forceRelease(Resource.lock("other"), OptionalLong.empty()));
        long start = System.nanoTime();
        for (int i = 0; i < all.size(); i++) {
            if (i >= 1 && i <= 3) { // these ask the leader first, which says that it is taken
                continue;
            }
            CompletionStage<?> one = all.get(i);
            assertThatThrownBy(() -> answer(one))
                    .hasRootCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("only 2 of 5 nodes answered, 3 are needed");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        nodes.forEach(FaultyNode::resume);
        assertThat(answer(store.release(held)).held()).isTrue();
    }

    @Test
    @DisplayName("fails a lock() with three away within the client's time-out, and works again when they are back")
    void failsTheCaller() throws Exception {
        List<FaultyNode> mine = nodes();
        try (Holdfast holdfast = Holdfast.builder()
                .store(QuorumStore.of(mine))
                .timeout(Duration.ofSeconds(1))
                .build()) {
            DistributedLock lock = holdfast.lock("lock");
            assertThat(holdfast.guarantee()).isEqualTo(Guarantee.LOCAL);
            mine.subList(0, 3).forEach(node -> node.with(Fault.DOWN));
            assertThatThrownBy(lock::lock)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("only 2 of 5");
            mine.forEach(FaultyNode::resume);
            lock.lock();
            lock.unlock();
        }
    }

    @Test
    @DisplayName("leaves nothing on the minority that granted")
    void givesTheMinorityBack() throws Exception {
        List<Claim> others = new ArrayList<>();
        for (int node : List.of(0, 1, 2)) {
            Claim other = exclusive();
            others.add(other);
            answer(nodes.get(node).claim(other));
        }
        assertThat(answer(store.claim(exclusive()))).isInstanceOf(ClaimResult.Busy.class);
        until(
                "the others have it",
                SOON,
                () -> holders(3).isEmpty() && holders(4).isEmpty());
        assertThat(holders(0)).hasSize(1);
    }

    @Test
    @DisplayName("gives the lock to one of two who collide, also while two nodes say nothing")
    void endsCollisions() throws Exception {
        List<FaultyNode> same = nodes();
        try (QuorumStore mine = QuorumStore.of(late(nodes, 1, 2), Duration.ofMillis(400));
                QuorumStore theirs = QuorumStore.of(late(same, 0, 1), Duration.ofMillis(400))) {
            faulty(Fault.HUNG, 3, 4);
            same.get(3).with(Fault.HUNG);
            same.get(4).with(Fault.HUNG);
            nodes.get(0).with(Fault.DOWN);
            same.get(0).with(Fault.DOWN);
            for (QuorumStore each : List.of(mine, theirs)) { // each learns which node is silent
                assertThatThrownBy(() -> answer(each.claim(exclusive())))
                        .hasRootCauseInstanceOf(StoreUnavailableException.class);
            }
            nodes.get(0).with(Fault.NONE);
            same.get(0).with(Fault.NONE);
            for (QuorumStore each : List.of(mine, theirs)) {
                Claim before = exclusive();
                until("all is well", SOON, () -> answer(each.claim(before)) instanceof ClaimResult.Granted);
                answer(each.release(before));
            }
            for (int i = 0; i < 10; i++) {
                Claim first = exclusive();
                Claim second = exclusive();
                List<ClaimResult> outcomes = List.of();
                for (int attempt = 0; attempt < 20 && outcomes.isEmpty(); attempt++) { // a slow machine needs some
                    CompletionStage<ClaimResult> one = mine.claim(first);
                    CompletionStage<ClaimResult> other = theirs.claim(second);
                    outcomes = Stream.of(answer(one), answer(other))
                            .filter(outcome -> outcome instanceof ClaimResult.Granted)
                            .toList();
                }
                assertThat(outcomes).hasSize(1);
                answer(mine.release(first));
                answer(theirs.release(second));
            }
        }
    }

    @Test
    @DisplayName("waits for nodes that said nothing last time where the others can't decide")
    void waitsForWhoIsNeeded() throws Exception {
        try (QuorumStore slow = QuorumStore.of(late(nodes, 0, 1, 2, 3, 4), Duration.ofMillis(400))) {
            faulty(Fault.DOWN, 0, 1, 2, 3, 4);
            assertThatThrownBy(() -> answer(slow.claim(exclusive())))
                    .hasRootCauseInstanceOf(StoreUnavailableException.class);
            nodes.forEach(node -> node.with(Fault.NONE));
            assertThat(answer(slow.claim(exclusive()))).isInstanceOf(ClaimResult.Granted.class);
        }
    }

    /** The nodes, of which some take some milliseconds to grant, and all but the first to take back. */
    private static List<LockStore> late(List<FaultyNode> nodes, int... which) {
        List<LockStore> all = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            boolean grantsLate = IntStream.of(which).anyMatch(late -> late == node);
            all.add(new ForwardingStore(nodes.get(i)) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return grantsLate ? after(5, () -> super.claim(claim)) : super.claim(claim);
                }

                @Override
                public CompletionStage<ReleaseResult> release(Claim claim) {
                    return node > 0 ? after(12, () -> super.release(claim)) : super.release(claim);
                }
            });
        }
        return all;
    }

    private static <T> CompletionStage<T> after(long millis, Supplier<CompletionStage<T>> command) {
        return CompletableFuture.supplyAsync(command, FaultyNode.after(millis)).thenCompose(sent -> sent);
    }

    @Test
    @DisplayName("gives back what a node grants after it was given up")
    void givesALateGrantBack() throws Exception {
        faulty(Fault.HUNG, 0, 1, 2);
        Claim claim = exclusive();
        assertThatThrownBy(() -> answer(store.claim(claim))).hasRootCauseInstanceOf(StoreUnavailableException.class);
        nodes.forEach(FaultyNode::resume);
        nothingIsLeftOnNodes();
        Claim second = exclusive();
        granted(second);
        answer(store.release(second));
    }

    private void nothingIsLeftOnNodes() throws Exception {
        for (int i = 0; i < 5; i++) {
            int node = i;
            until("node " + i + " has nothing", SOON, () -> holders(node).isEmpty());
        }
    }

    @Test
    @DisplayName("never counts a vote that it may have given back: a late release can't undo a later attempt")
    void survivesItsOwnLateRelease() throws Exception {
        faulty(Fault.DOWN, 3, 4);
        Claim other = exclusive();
        answer(FaultyNode.memory(name + "-0").claim(other));
        Claim claim = exclusive();
        assertThat(answer(store.claim(claim))).isInstanceOf(ClaimResult.Busy.class);
        answer(FaultyNode.memory(name + "-0").release(other));
        granted(claim);
        for (int i = 0; i < 3; i++) { // what the first attempt sent comes once more
            answer(FaultyNode.memory(name + "-" + i).release(claim));
        }
        assertThat(answer(store.renew(List.of(claim)))).containsEntry(claim.id(), ClaimStatus.HELD);
        assertThat(answer(store.release(claim)).held()).isTrue();
    }

    @Test
    @DisplayName("hands out tokens that rise, though each grant has another majority and the nodes count differently")
    void hasTokensRise() throws Exception {
        long last = 0;
        for (int round = 0; round < 40; round++) {
            nodes.forEach(FaultyNode::resume);
            faulty(Fault.DOWN, round % 5, (round * 3 + 1) % 5);
            Claim claim = exclusive();
            if (round % 7 == 3) { // one node runs ahead
                Claim ahead = exclusive().withMinToken(last + 10_000);
                LockStore node = FaultyNode.memory(name + "-" + round % 5);
                answer(node.claim(ahead));
                answer(node.release(ahead));
            }
            long token = granted(claim);
            assertThat(token).as("round %d", round).isGreaterThan(last);
            last = token;
            answer(store.release(claim));
        }
    }

    @Test
    @DisplayName("gives a claim that is asked for again a new token, if somebody else has had the lock since")
    void neverGoesBackToAnOldToken() throws Exception {
        Claim late = exclusive().withLease(Duration.ofMillis(100));
        long unheard = granted(late); // by a client that stands still until its lease is over
        for (int i = 0; i < 5; i++) {
            int node = i;
            until("the lease is over at node " + i, SOON, () -> holders(node).isEmpty());
        }
        Claim other = exclusive();
        long between = granted(other);
        assertThat(between).isGreaterThan(unheard);
        answer(store.release(other));
        nothingIsLeftOnNodes();
        assertThat(granted(late.withLease(LEASE))).isGreaterThan(between);
    }

    @Test
    @DisplayName("gives a claim that is asked for again the token that it has, as long as a majority has it")
    void repeatsItsToken() throws Exception {
        Claim claim = exclusive();
        long token = granted(claim);
        assertThat(granted(claim)).isEqualTo(token);
        for (int i = 0; i < 2; i++) { // both claims are taken up again, with other ids
            answer(FaultyNode.memory(name + "-" + i).forceRelease(Resource.lock("lock"), OptionalLong.empty()));
        }
        assertThat(granted(claim)).isEqualTo(token);
    }

    @Test
    @DisplayName("takes nothing from who may believe in a grant, though it is asked for again and too few answer")
    void keepsWhatMayBeBelievedIn() throws Exception {
        Claim believed = exclusive();
        granted(believed);
        for (int i = 1; i < 3; i++) {
            answer(FaultyNode.memory(name + "-" + i).forceRelease(Resource.lock("lock"), OptionalLong.empty()));
        }
        faulty(Fault.DOWN, 3, 4);
        nodes.get(2).with(Fault.ANSWERS_ONCE); // to the first round, but not when the nodes are to agree on a token
        assertThatThrownBy(() -> answer(store.claim(believed))).hasRootCauseInstanceOf(StoreUnavailableException.class);
        nodes.forEach(FaultyNode::resume);
        assertThat(answer(store.renew(List.of(believed)))).containsEntry(believed.id(), ClaimStatus.HELD);
        assertThat(holders(0)).containsExactly(believed.id());
    }

    @Test
    @DisplayName(
            "of four tells who gives back what it does not have any more that it was lost, and not that too few answered")
    void releasesWithAnEvenNumber() throws Exception {
        List<FaultyNode> four = nodes.subList(0, 4);
        try (QuorumStore even = QuorumStore.of(four, Duration.ofSeconds(5))) {
            Claim gone = exclusive();
            assertThat(answer(even.claim(gone))).isInstanceOf(ClaimResult.Granted.class);
            for (int i = 0; i < 4; i++) {
                answer(FaultyNode.memory(name + "-" + i).forceRelease(Resource.lock("lock"), OptionalLong.empty()));
            }
            faulty(Fault.HUNG, 1, 2);
            CompletableFuture<ReleaseResult> release = even.release(gone).toCompletableFuture();
            assertThat(release).isNotDone(); // two of four are no majority
            nodes.forEach(FaultyNode::resume);
            assertThat(answer(release).held()).isFalse();
        }
    }

    @Test
    @DisplayName("has a node that missed a claim take it up, so that it outlives the loss of others")
    void spreadsWhatIsHeld() throws Exception {
        faulty(Fault.DOWN, 0, 1);
        Claim claim = exclusive();
        granted(claim);
        nodes.forEach(FaultyNode::resume);
        answer(store.renew(List.of(claim)));
        until(
                "the first two have it",
                SOON,
                () -> holders(0).size() == 1 && holders(1).size() == 1);
        faulty(Fault.DOWN, 3, 4);
        assertThat(answer(store.renew(List.of(claim)))).containsEntry(claim.id(), ClaimStatus.HELD);
        answer(store.release(claim));
        assertThat(holders(0)).isEmpty();
    }

    @Test
    @DisplayName("tells a holder whom a majority has forgotten, and not one whom a minority has")
    void tellsTheLoss() throws Exception {
        List<FaultyNode> mine = nodes();
        try (Holdfast holdfast = Holdfast.builder()
                .store(QuorumStore.of(mine))
                .lease(Duration.ofSeconds(6))
                .build()) {
            DistributedLock lock = holdfast.lock("lock");
            Lease lease = lock.acquire();
            for (int i = 0; i < 2; i++) {
                answer(FaultyNode.memory(name + "-" + i).forceRelease(Resource.lock("lock"), OptionalLong.empty()));
            }
            until(
                    "the first two have it again",
                    SOON,
                    () -> holders(0).size() == 1 && holders(1).size() == 1);
            assertThat(lease.isValid()).isTrue();
            until("it is told", SOON, () -> {
                for (int i = 1; i < 4; i++) { // again, as a renewal in between has them take it up
                    answer(FaultyNode.memory(name + "-" + i).forceRelease(Resource.lock("lock"), OptionalLong.empty()));
                }
                return !lease.isValid();
            });
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    @DisplayName("one claim that is not known to be held does not hold up the renewal of others")
    void renewsTheRest() throws Exception {
        Claim one = exclusive();
        granted(one);
        Claim other = new Claim("other", client + ":other", Mode.EXCLUSIVE, LEASE, 1, 1, OWNER);
        granted(other);
        answer(FaultyNode.memory(name + "-0").release(other));
        answer(FaultyNode.memory(name + "-0").claim(exclusiveOf("other")));
        faulty(Fault.DOWN, 3, 4);
        assertThat(answer(store.renew(List.of(other, one))))
                .isEqualTo(Map.of(one.id(), ClaimStatus.HELD, other.id(), ClaimStatus.UNKNOWN));
    }

    private Claim exclusiveOf(String lock) {
        return new Claim(lock, client + ":" + made.incrementAndGet(), Mode.EXCLUSIVE, LEASE, 1, 1, OWNER);
    }

    @Test
    @DisplayName("goes on serving those who wait for a fair lock when the node that keeps their order dies")
    void outlivesTheLeader() throws Exception {
        List<FaultyNode> mine = nodes();
        try (Holdfast holdfast = Holdfast.builder()
                .store(QuorumStore.of(mine, Duration.ofMillis(200)))
                .build()) {
            DistributedLock fair = holdfast.fairLock("lock");
            fair.lock();
            List<CompletableFuture<Void>> served = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int owner = i;
                served.add(fair.lockAsync(owner).thenCompose(had -> fair.unlockAsync(owner)));
            }
            mine.get(0).with(Fault.DOWN);
            mine.get(1).with(Fault.HUNG);
            fair.unlock();
            for (CompletableFuture<Void> one : served) {
                one.get(15, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    @DisplayName("does not let the order be kept by a node that holds back after a restart")
    void passesByWhoHoldsBack() throws Exception {
        List<FaultyNode> mine = nodes();
        mine.get(0).with(Fault.HOLDS_BACK);
        try (Holdfast holdfast = Holdfast.builder().store(QuorumStore.of(mine)).build()) {
            DistributedLock fair = holdfast.fairLock("lock");
            assertThat(fair.tryLock(8, TimeUnit.SECONDS)).isTrue();
            fair.unlock();
            assertThat(holdfast.readWriteLock("lock").readLock().tryLock(2, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    @DisplayName("is made of three nodes or more, none of them twice, all of which heed floors")
    void checksItsNodes() {
        assertThatThrownBy(() -> QuorumStore.of(nodes.subList(0, 2))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QuorumStore.of(List.of(nodes.get(0), nodes.get(1), nodes.get(0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
        LockStore floorless = new ForwardingStore(nodes.get(0)) {
            @Override
            public StoreTraits traits() {
                return new StoreTraits(Guarantee.LOCAL, false);
            }
        };
        assertThatThrownBy(() -> QuorumStore.of(List.of(floorless, nodes.get(1), nodes.get(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can't be part of a quorum");
        assertThatThrownBy(() -> QuorumStore.of(nodes, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
