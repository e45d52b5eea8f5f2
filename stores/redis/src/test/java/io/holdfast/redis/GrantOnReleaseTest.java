package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lock that is released while a claim waits that may be granted by a call")
class GrantOnReleaseTest extends StoreTest {

    private static final String EPOCH = "holdfast:epoch";

    private record Heard(String claimId, long ticket, ClaimResult.Granted grant) {

        static final ClaimResult.Granted NO_GRANT = new ClaimResult.Granted(0);
    }

    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private String name = "";
    private Claim holder = newClaim("");
    private Claim first = holder;

    @BeforeEach
    void another() {
        heard.clear();
        name = newName();
        holder = newClaim(name);
        first = waiter("a:1", QueuePolicy.QUEUES);
    }

    @AfterEach
    void nothingStays() {
        assertKeysExpire();
    }

    private Claim waiter(String id, QueuePolicy policy) {
        return new Claim(name, id, Mode.EXCLUSIVE, LEASE, 1, OWNER, policy, 1, ClaimOptions.tokens(16))
                .grantedOnRelease();
    }

    private Subscription listening() throws InterruptedException {
        Subscription listening = store.subscribe("a", new ClaimListener() {
            @Override
            public void turnReached(String claimId) {
                heard.add(new Heard(claimId, 0, Heard.NO_GRANT));
            }

            @Override
            public void revocationRequested(String claimId) {
                turnReached(claimId);
            }

            @Override
            public void resync() {
                turnReached("");
            }

            @Override
            public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                heard.add(new Heard(claimId, ticket, grant));
            }
        });
        assertThat(next().claimId).as("that calls are heard").isEmpty();
        return listening;
    }

    private Heard next() throws InterruptedException {
        Heard one = heard.poll(5, TimeUnit.SECONDS);
        assertThat(one).as("heard").isNotNull();
        return one;
    }

    private long ticket(Claim claim) {
        return ((ClaimResult.Busy) get(store.claim(claim))).ticket();
    }

    /** Not in one of the moments in which nothing is granted by a call. */
    private void release(Claim claim) {
        await("such a moment", () -> {
            long moment = micros() / 1000 % 61;
            return moment >= 4 && moment < 40;
        });
        get(store.release(claim));
    }

    @Test
    @DisplayName("goes to it with a new token, for as long as its place would have lasted")
    void isGranted() throws Exception {
        try (Subscription listening = listening()) {
            long token = granted(store, holder);
            long ticket = ticket(first);
            assertThat(ticket(first)).as("the same place").isEqualTo(ticket).isPositive();
            release(holder);
            Heard call = next();
            assertThat(call.claimId).isEqualTo(first.id());
            assertThat(call.ticket).isEqualTo(ticket);
            assertThat(call.grant.token()).isGreaterThan(token);
            assertThat(get(store.inspect(Resource.lock(name))).holders())
                    .singleElement()
                    .satisfies(held -> {
                        assertThat(held.claimId()).isEqualTo(first.id());
                        assertThat(held.token()).isEqualTo(call.grant.token());
                        assertThat(held.timeLeft()).isLessThanOrEqualTo(Claim.TICKET);
                    });
            assertThat(get(store.inspect(Resource.lock(name))).waiters()).isEmpty();
            assertThat(redis.pttl(name)).isBetween(1L, Claim.TICKET.toMillis());
            assertThat(get(store.claim(first)))
                    .as("who asks is told the same")
                    .isEqualTo(new ClaimResult.Granted(call.grant.token()));
            assertThat(redis.pttl(name)).as("and gets a lease of its own").isGreaterThan(Claim.TICKET.toMillis());
            assertThat(get(store.renew(List.of(first)))).containsEntry(first.id(), ClaimStatus.HELD);
            get(store.release(first));
        }
    }

    @Test
    @DisplayName("reserves all the tokens that it asked for")
    void reservesTokens() throws Exception {
        try (Subscription listening = listening()) {
            granted(store, holder);
            ticket(first);
            release(holder);
            long token = next().grant.token();
            get(store.release(first));
            assertThat(granted(store, newClaim(name))).isGreaterThanOrEqualTo(token + first.tokens());
        }
    }

    @Test
    @DisplayName("says who of the same client comes next, with their places, if it is fair")
    void inARow() throws Exception {
        try (Subscription listening = listening()) {
            granted(store, holder);
            ticket(first);
            Claim second = waiter("a:2", QueuePolicy.QUEUES);
            long ticket = ticket(second);
            waiting(store, waiter("b:3", QueuePolicy.QUEUES));
            waiting(store, waiter("a:4", QueuePolicy.QUEUES));
            release(holder);
            assertThat(next().grant.next()).containsExactly(new ClaimResult.Next(second.id(), ticket));
        }
    }

    @Test
    @DisplayName("is free if nobody there hears it")
    void nobodyHears() {
        granted(store, holder);
        String before = record(name);
        ticket(first);
        release(holder);
        assertThat(get(store.inspect(Resource.lock(name))).holders()).isEmpty();
        assertThat(record(name)).as("no tokens are used up").isEqualTo(before);
        assertThat(get(store.renew(List.of(first)))).containsEntry(first.id(), ClaimStatus.TURN_REACHED);
        granted(store, first);
    }

    @Test
    @DisplayName("is not granted while no lock is, after a restart")
    void holdsBack() throws Exception {
        String epoch = redis.get(EPOCH);
        try (Subscription listening = listening()) {
            granted(store, holder);
            ticket(first);
            redis.set(EPOCH, epoch.replaceAll("\\d+$", Long.toString(micros() / 1000 + 60_000)));
            release(holder);
            assertThat(next()).isEqualTo(new Heard(first.id(), 0, Heard.NO_GRANT));
        } finally {
            redis.set(EPOCH, epoch);
            redis.pexpire(EPOCH, 86_400_000);
        }
    }

    @Test
    @DisplayName("is not believed in by a client that knew another life of the server")
    void otherEpoch() throws Exception {
        String epoch = redis.get(EPOCH);
        try (Subscription listening = listening()) {
            granted(store, holder);
            ticket(first);
            redis.set(EPOCH, "another 0 0");
            release(holder);
            assertThat(next()).isEqualTo(new Heard(first.id(), 0, Heard.NO_GRANT));
        } finally {
            redis.set(EPOCH, epoch);
            redis.pexpire(EPOCH, 86_400_000);
        }
    }

    @Test
    @DisplayName("that barges gets a lock that is free though others are before it")
    void passes() {
        granted(store, holder);
        waiting(store, waiter("b:1", QueuePolicy.QUEUES));
        Claim barging = waiter("a:2", QueuePolicy.BARGES_OR_QUEUES);
        ticket(barging);
        release(holder);
        assertThat(get(store.renew(List.of(barging)))).containsEntry(barging.id(), ClaimStatus.TURN_REACHED);
        granted(store, barging);
    }

    @Test
    @DisplayName("is not granted like that where replicas have to know of it first")
    void replicated() {
        assertThat(store.traits().grantsOnRelease()).isTrue();
        try (RedisStore replicated = RedisStore.open(server.uri() + "?replicas=1", CONFIG)) {
            assertThat(replicated.traits().grantsOnRelease()).isFalse();
        }
    }

    @Test
    @DisplayName("is released twice as it is once")
    void releasedTwice() throws Exception {
        try (Subscription listening = listening()) {
            granted(store, holder);
            ticket(first);
            release(holder);
            next();
            assertThat(get(store.release(holder)).held()).isFalse();
            assertThat(get(store.inspect(Resource.lock(name))).holders()).hasSize(1);
        }
    }
}
