package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Candidacy;
import io.holdfast.Holdfast;
import io.holdfast.Leader;
import io.holdfast.Leadership;
import io.holdfast.Lease;
import io.holdfast.Observation;
import io.holdfast.spi.QueueingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One leader among candidates of several clients. */
public abstract class ElectionContract extends Contract {

    private final String name = name("election");

    @SuppressWarnings("NullAway.Init")
    private Onlooker onlooker;

    @BeforeEach
    final void look() {
        needs(QueueingStore.class);
        onlooker = Onlooker.of(client(), name);
    }

    @Essential
    @Test
    @DisplayName("is led by one candidate at a time, in the order in which they came, each with a greater token")
    void leadsInOrder() throws Exception {
        List<Holdfast> clients = List.of(client(), client(), client());
        List<CompletableFuture<Leadership>> campaigns = new ArrayList<>();
        for (int i = 0; i < 6; i++) { // two of each client, one after the other
            campaigns.add(
                    clients.get(i / 2).election(name).withValue("number " + i).campaignAsync());
            onlooker.seesWaiting(i);
            if (i == 0) {
                await(campaigns.get(0));
            }
        }
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Leadership leadership = await(campaigns.get(i));
            Leader leader = clients.get(2 - i / 2).election(name).leader().orElseThrow();
            assertThat(leader.value()).isEqualTo("number " + i);
            assertThat(leadership.value()).hasValue("number " + i);
            if (store().tellsAllTheSameToken()) {
                assertThat(leader.token()).isEqualTo(leadership.token());
            }
            assertThat(campaigns.subList(i + 1, 6)).noneMatch(Future::isDone);
            tokens.add(leadership.token());
            leadership.resign();
            assertThat(leadership.isValid()).isFalse();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        onlooker.seesNobody();
        assertThat(client().election(name).leader()).isEmpty();
    }

    @Essential
    @Test
    @DisplayName("shows who leads, since when, with any value that is allowed; who only holds the lock does not lead")
    void showsTheLeader() throws Exception {
        Holdfast client = client(builder -> builder.clientName("the-leader"));
        for (String value :
                List.of("x", "http://10.0.0.7:8080/a?b=c d", "z\u00fcrich \u2713", "\ud83d\ude80".repeat(64))) {
            try (Leadership leadership = client.election(name).withValue(value).campaign()) {
                Leader leader = client().election(name).leader().orElseThrow();
                assertThat(leader.election()).isEqualTo(name);
                assertThat(leader.value()).isEqualTo(value);
                assertThat(leader.client()).isEqualTo("the-leader");
                assertThat(leader.process()).isEqualTo(ProcessHandle.current().pid());
                assertThat(leader.since()).isNotNull();
                assertThat(Leader.of(client.inspect(name))).hasValue(leader);
                assertThat(leadership.isValid()).isTrue();
            }
        }
        try (Leadership leadership = client.election(name).campaign()) {
            assertThat(leadership.value()).isEmpty();
            assertThat(await(client().election(name).leaderAsync())
                            .orElseThrow()
                            .value())
                    .isNull();
        }
        try (Lease held = client.lock(name).acquire()) {
            assertThat(client().election(name).leader()).isEmpty();
            assertThat(client().election(name).tryCampaign(Duration.ZERO)).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("refuses a value that a store might change, before anything is sent")
    void refusesValues() {
        for (String value : List.of("", "two\nlines", "nul\0", "\u202Ereversed", "\ud83d", "x".repeat(257))) {
            assertThatThrownBy(() -> client().election(name).withValue(value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the value of a candidate");
        }
    }

    @Essential
    @Test
    @DisplayName("leaves nothing of a candidate that has waited in vain, was cancelled or interrupted")
    void leavesNothing() throws Exception {
        Leadership leadership = client().election(name).campaign();
        Holdfast client = client();
        assertThat(client.election(name).tryCampaign(passingLease())).isEmpty();
        assertThat(await(client.election(name).tryCampaignAsync(Duration.ZERO))).isEmpty();
        CompletableFuture<Leadership> cancelled = client.election(name).campaignAsync();
        onlooker.seesWaiting(1);
        cancelled.cancel(true);
        onlooker.seesOnly(0);
        Actor bob = actor("bob");
        Future<?> interrupted = bob.starts(() ->
                assertThatThrownBy(() -> client.election(name).campaign()).isInstanceOf(InterruptedException.class));
        onlooker.seesWaiting(1);
        bob.interrupt();
        await(interrupted);
        onlooker.seesOnly(0);
        Candidacy closed = client.election(name).lead(new RecordingCandidate());
        onlooker.seesWaiting(1);
        closed.close();
        onlooker.seesOnly(0);
        leadership.resign();
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("tells its observers every change, in the order of the tokens, whichever client they are of")
    void observersSeeAll() throws Exception {
        List<Optional<Leader>> here = new CopyOnWriteArrayList<>();
        List<Optional<Leader>> there = new CopyOnWriteArrayList<>();
        Holdfast first = client();
        Holdfast second = client();
        Observation observing = first.election(name).observe(here::add);
        opened(client()).election(name).observe(there::add);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String value = "leader " + i;
            Leadership leadership = (i % 2 == 0 ? first : second)
                    .election(name)
                    .withValue(value)
                    .campaign();
            expected.add(value);
            until(
                    "all see " + value,
                    SOON,
                    () -> values(here, store()).equals(expected)
                            && values(there, store()).equals(expected));
            leadership.resign();
        }
        until("nobody leads", SOON, () -> last(here).isEmpty() && last(there).isEmpty());
        for (List<Optional<Leader>> seen : List.of(here, there)) {
            assertThat(seen.stream().flatMap(Optional::stream).map(Leader::token))
                    .isSortedAccordingTo(Comparator.naturalOrder())
                    .doesNotHaveDuplicates();
        }
        observing.close();
        int before = here.size();
        Leadership unseen = second.election(name).withValue("unseen").campaign();
        until("the other one sees it", SOON, () -> last(there).isPresent());
        assertThat(here).hasSize(before);
        unseen.resign();
    }

    /** The leaders in their order. Where looks may show different tokens of one claim, a leader may be told again with a greater one. */
    static List<String> values(List<Optional<Leader>> seen, StoreBinding store) {
        List<String> values = new ArrayList<>();
        for (Optional<Leader> leader : seen) {
            String value = leader.map(one -> Objects.toString(one.value())).orElse("");
            boolean again = !store.tellsAllTheSameToken()
                    && !values.isEmpty()
                    && values.get(values.size() - 1).equals(value);
            if (leader.isPresent() && !again) {
                values.add(value);
            }
        }
        return values;
    }

    private static Optional<Leader> last(List<Optional<Leader>> seen) {
        return seen.get(seen.size() - 1);
    }

    // ---- candidates that are told -----------------------------------------------------------------------------

    /** What can end a leadership, or go wrong while it ends. */
    enum End {
        CLOSE,
        RESIGN,
        CLOSE_IN_CALLBACK,
        GRANTED_THROWS,
        GRANTED_IS_INTERRUPTED,
        REVOKED_THROWS,
        CLIENT_CLOSES,
        FORCED,
        STORE_SILENT
    }

    @Essential
    @ParameterizedTest(name = "has a candidate revoked once for each grant: {0}")
    @EnumSource
    void revokesOnce(End end) throws Exception {
        CutStore store = new CutStore(store().newStore());
        Holdfast client = client(store, KEPT);
        CompletableFuture<Candidacy> candidacy = new CompletableFuture<>();
        RecordingCandidate candidate = new RecordingCandidate() {
            @Override
            public void granted(Leadership leadership) throws Exception {
                super.granted(leadership);
                if (granted.size() > 1) {
                    return;
                }
                switch (end) {
                    case GRANTED_THROWS -> throw new IllegalStateException("on purpose");
                    case GRANTED_IS_INTERRUPTED -> throw new InterruptedException("on purpose");
                    case CLOSE_IN_CALLBACK -> candidacy.get().close();
                    default -> {
                        // it leads
                    }
                }
            }

            @Override
            public void revoked(Leadership leadership) throws Exception {
                super.revoked(leadership);
                if (end == End.REVOKED_THROWS) {
                    throw new IllegalStateException("on purpose");
                }
            }
        };
        candidacy.complete(opened(client.election(name).lead(candidate)));
        until("it leads", SOON, () -> !candidate.granted.isEmpty());
        switch (end) {
            case CLOSE, REVOKED_THROWS -> candidacy.get().close();
            case RESIGN -> candidacy.get().resign();
            case CLIENT_CLOSES -> client.close();
            case FORCED -> assertThat(client().forceUnlock(name)).isTrue();
            case STORE_SILENT -> store.cut();
            default -> {
                // ends by itself
            }
        }
        until("it was revoked", KEPT.plus(SLACK), () -> candidate.inTime.size() == 1);
        store.mend();
        boolean again = end == End.RESIGN
                || end == End.GRANTED_THROWS
                || end == End.GRANTED_IS_INTERRUPTED
                || end == End.FORCED
                || end == End.STORE_SILENT;
        if (again) {
            until("it leads again", SOON, () -> candidate.granted.size() == 2);
            assertThat(candidate.granted.get(1).token())
                    .isGreaterThan(candidate.granted.get(0).token());
            candidacy.get().close();
        }
        int times = again ? 2 : 1;
        assertThat(candidate.granted).hasSize(times);
        assertThat(candidate.revoked).containsExactlyElementsOf(candidate.granted);
        if (end != End.FORCED) {
            assertThat(candidate.inTime).containsOnly(true);
        }
        client.close();
        throughout("no more calls", Duration.ofMillis(50), () -> candidate.revoked.size() == times);
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("is not given back before the candidate has stopped, whatever ends it, and is kept until then")
    void waitsForTheCandidate() throws Exception {
        RecordingCandidate slow = new RecordingCandidate();
        slow.mayStop = new CountDownLatch(1);
        Candidacy candidacy = opened(client(SHORT).election(name).lead(slow));
        until("it leads", SOON, slow::isOn);
        CompletableFuture<Leadership> next = client().election(name).campaignAsync();
        onlooker.seesWaiting(1);
        CompletableFuture<Void> closed = candidacy.closeAsync();
        until("it is to stop", SOON, () -> slow.revoked.size() == 1);
        assertThat(candidacy.leadership()).isEmpty();
        throughout("it is not succeeded", SHORT.plusMillis(500), () -> !next.isDone());
        assertThat(slow.granted.get(0).isValid()).isTrue();
        slow.mayStop.countDown();
        await(closed);
        assertThat(slow.inTime).containsExactly(true);
        assertThat(await(next).token()).isGreaterThan(slow.granted.get(0).token());
        await(next).resign();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is left to its lease by a client that closes while the candidate has not stopped")
    void isLeftToItsLease() throws Exception {
        RecordingCandidate slow = new RecordingCandidate();
        slow.mayStop = new CountDownLatch(1);
        Holdfast closing = client(builder -> builder.lease(LONG).timeout(Duration.ofSeconds(1)));
        closing.election(name).lead(slow);
        until("it leads", SOON, slow::isOn);
        closing.close();
        assertThat(slow.granted.get(0).isValid()).isFalse();
        assertThat(slow.inTime).isEmpty();
        assertThat(client().election(name).tryCampaign(Duration.ZERO)).isEmpty();
        slow.mayStop.countDown();
        client().forceUnlock(name);
    }

    @Essential
    @Test
    @DisplayName(
            "has no two leaders at once, each by its own clock, though one is cut off; that one has stopped before it is succeeded")
    void neverTwo() throws Exception {
        CutStore cut = new CutStore(store().newStore());
        RecordingCandidate first = new RecordingCandidate();
        Candidacy leading = opened(client(cut, SHORT).election(name).lead(first));
        until("it leads", SOON, first::isOn);
        RecordingCandidate second = new RecordingCandidate();
        opened(client(KEPT).election(name).lead(second));
        onlooker.seesWaiting(1);
        Leadership held = first.granted.get(0);
        cut.cut();
        long start = now();
        throughout("one of them", SHORT.plusMillis(500), () -> {
            // In this order: a leader that has just become one must not find the other one valid.
            boolean succeeded = second.isOn();
            return !(succeeded && (held.isValid() || leading.isLeading()));
        });
        until("the second leads", SLACK, second::isOn);
        assertThat(since(start)).isLessThan(SHORT.plusSeconds(1).plus(SLACK));
        assertThat(first.revoked).containsExactly(held);
        assertThat(held.isValid()).isFalse();
        cut.mend();
        assertThat(second.granted.get(0).isValid()).isTrue();
    }

    @Essential
    @Test
    @DisplayName("holds no thread for a candidate that waits, nor for one that leads")
    void holdsNoThreads() throws Exception {
        Holdfast client = client();
        List<RecordingCandidate> candidates = new ArrayList<>();
        List<Candidacy> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RecordingCandidate candidate = new RecordingCandidate();
            candidates.add(candidate);
            all.add(client.election(name("crowd " + i % 10)).lead(candidate));
        }
        until(
                "ten lead",
                SOON,
                () -> candidates.stream().filter(RecordingCandidate::isOn).count() == 10);
        String own = client.id().substring(0, 8);
        until(
                "no thread is held",
                Duration.ofSeconds(30),
                () -> Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> thread.getKey().getName().contains(own))
                        .filter(thread -> List.of(thread.getValue()).stream()
                                .anyMatch(frame -> frame.getClassName().startsWith("io.holdfast.")))
                        .findAny()
                        .isEmpty());
        CompletableFuture.allOf(all.stream().map(Candidacy::closeAsync).toArray(CompletableFuture<?>[]::new))
                .get(40, TimeUnit.SECONDS);
        assertThat(candidates).allSatisfy(one -> assertThat(one.revoked).containsExactlyElementsOf(one.granted));
    }
}
