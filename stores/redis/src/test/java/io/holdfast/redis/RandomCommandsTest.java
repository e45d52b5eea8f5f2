package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Long random sequences of commands, each given to the server and to the in-memory store, which is what is meant. Leases
 * are long, and the places of all that wait are renewed before each command, so that time plays no part.
 */
@DisplayName("Whatever the commands, the answers are those of the in-memory store")
@Timeout(300)
class RandomCommandsTest extends StoreTest {

    private static final int COMMANDS = 1_500;
    private static final String CLIENT = "11111111-2222-3333-4444-555555555555";

    private final List<String> trace = new ArrayList<>();
    private long lastToken;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void locks(long seed) throws InterruptedException {
        run(seed, ResourceType.LOCK);
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void semaphores(long seed) throws InterruptedException {
        run(seed, ResourceType.SEMAPHORE);
    }

    private void run(long seed, ResourceType kind) throws InterruptedException {
        Random random = new Random(seed);
        LockStore memory = memory();
        String name = newName();
        List<Claim> claims = new ArrayList<>();
        Map<String, Long> tokens = new HashMap<>();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        trace.clear();
        lastToken = 0;
        String client = CLIENT + "-" + name;
        List<String> called = new ArrayList<>();
        try (memory;
                Subscription expected = ((QueueingStore) memory).subscribe(client, ids(called::add));
                Subscription calls = store.subscribe(client, ids(heard::add))) {
            await("in place", () -> redis.pubsubNumsub(Keys.calls(client)).get(Keys.calls(client)) == 1);
            for (int i = 0; i < COMMANDS; i++) {
                keepPlaces(memory, kind, name, claims);
                called.clear();
                try {
                    command(random, memory, kind, name, client + ":" + i, claims, tokens);
                    same(get(memory.inspect(new Resource(kind, name))), get(store.inspect(new Resource(kind, name))));
                    for (String next : called) {
                        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo(next);
                    }
                    assertThat(heard).isEmpty();
                    if (i % 20 == 0) {
                        assertKeysExpire();
                    }
                } catch (AssertionError e) {
                    fail(
                            "seed " + seed + ", command " + i + ":\n"
                                    + String.join("\n", trace.subList(Math.max(0, trace.size() - 25), trace.size())),
                            e);
                }
            }
        }
    }

    private void command(
            Random random,
            LockStore memory,
            ResourceType kind,
            String name,
            String id,
            List<Claim> claims,
            Map<String, Long> tokens) {
        int dice = random.nextInt(100);
        if (claims.isEmpty() || dice < 35) {
            Claim claim = newClaim(random, kind, name, id, claims);
            claims.add(claim);
            claim(memory, claim, tokens);
            if (claims.size() > 12) {
                release(memory, claims.remove(random.nextInt(claims.size())), tokens);
            }
            return;
        }
        Claim claim = claims.get(random.nextInt(claims.size()));
        if (dice < 55) {
            claim(memory, claim, tokens);
        } else if (dice < 70) {
            Claim changed = claim.withHolds(1 + random.nextInt(3));
            if (kind == ResourceType.SEMAPHORE && random.nextBoolean()) {
                changed = changed.withPermits(1 + random.nextInt(claim.permits()));
            }
            List<Claim> renewed = new ArrayList<>(List.of(changed));
            if (random.nextBoolean()) {
                Claim other = claims.get(random.nextInt(claims.size()));
                if (!other.id().equals(claim.id())) {
                    renewed.add(other);
                }
            }
            trace.add("renew " + brief(renewed));
            Map<String, ClaimStatus> expected = get(memory.renew(renewed));
            assertThat(get(store.renew(renewed))).isEqualTo(expected);
            assertThat(get(store.renew(renewed))).isEqualTo(expected);
        } else if (dice < 92) {
            release(memory, claim, tokens);
            if (random.nextBoolean()) {
                claims.remove(claim);
            }
        } else if (dice < 94) {
            trace.add("force");
            tokens.clear();
            assertThat(get(store.forceRelease(new Resource(kind, name), OptionalLong.empty())))
                    .isEqualTo(get(memory.forceRelease(new Resource(kind, name), OptionalLong.empty())));
            assertThat(get(store.forceRelease(new Resource(kind, name), OptionalLong.empty())))
                    .isFalse();
        } else if (kind == ResourceType.SEMAPHORE) {
            int by = random.nextInt(5) - 2;
            trace.add("add " + by);
            int expected = get(((SemaphoreStore) memory).addPermits(name, id, by, 4));
            assertThat(get(store.addPermits(name, id, by, 4))).isEqualTo(expected);
            assertThat(get(((SemaphoreStore) memory).addPermits(name, id, by, 4)))
                    .isEqualTo(expected);
            assertThat(get(store.addPermits(name, id, by, 4))).isEqualTo(expected);
        }
    }

    private static Claim newClaim(Random random, ResourceType kind, String name, String id, List<Claim> claims) {
        QueuePolicy policy = QueuePolicy.values()[random.nextInt(4)];
        String compatibleWith = !claims.isEmpty() && random.nextInt(4) == 0
                ? claims.get(random.nextInt(claims.size())).id()
                : null;
        boolean semaphore = kind == ResourceType.SEMAPHORE;
        Mode mode = semaphore ? Mode.PERMITS : random.nextInt(3) == 0 ? Mode.EXCLUSIVE : Mode.SHARED;
        return new Claim(
                name,
                id,
                mode,
                Duration.ofMinutes(10 + random.nextInt(10)),
                1,
                OWNER,
                policy,
                semaphore ? 1 + random.nextInt(3) : 1,
                ClaimOptions.tokens(1 + random.nextInt(3))
                        .withCapacity(semaphore ? 4 : 1)
                        .withCompatible(compatibleWith));
    }

    private void claim(LockStore memory, Claim claim, Map<String, Long> tokens) {
        trace.add("claim " + brief(List.of(claim)));
        for (int i = 0; i < 2; i++) {
            ClaimResult expected;
            try {
                expected = get(memory.claim(claim));
            } catch (StoreRefusedException e) {
                StoreRefusedException refused = failure(StoreRefusedException.class, store.claim(claim));
                assertThat(refused).hasMessage(e.getMessage());
                assertThat(refused.retryable()).isFalse();
                continue;
            }
            ClaimResult outcome = get(store.claim(claim));
            assertThat(outcome.getClass()).isEqualTo(expected.getClass());
            if (outcome instanceof ClaimResult.Granted granted) {
                Long before = tokens.put(claim.id(), granted.token());
                if (before == null) {
                    assertThat(granted.token()).isGreaterThan(lastToken);
                    lastToken = granted.token() + claim.tokens() - 1;
                } else {
                    assertThat(granted.token()).isEqualTo(before);
                }
            } else {
                Duration left = ((ClaimResult.Busy) expected).retryAfter();
                assertThat(((ClaimResult.Busy) outcome).retryAfter())
                        .isBetween(left.minusMinutes(2), left.plusSeconds(1));
            }
        }
    }

    private void release(LockStore memory, Claim claim, Map<String, Long> tokens) {
        tokens.remove(claim.id());
        trace.add("release " + brief(List.of(claim)));
        assertThat(get(store.release(claim))).isEqualTo(get(memory.release(claim)));
        assertThat(get(store.release(claim))).isEqualTo(new ReleaseResult(false, false));
    }

    /** Places end after three seconds, which a slow machine may need. */
    private void keepPlaces(LockStore memory, ResourceType kind, String name, List<Claim> claims) {
        List<String> ids = get(memory.inspect(new Resource(kind, name))).waiters().stream()
                .map(Claimant::claimId)
                .toList();
        List<Claim> waiting =
                claims.stream().filter(claim -> ids.contains(claim.id())).toList();
        get(memory.renew(waiting));
        get(store.renew(waiting));
    }

    private static LockStore memory() {
        for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class)) {
            if (provider.serves("memory")) {
                return provider.open("memory:", CONFIG);
            }
        }
        return fail("there is no in-memory store");
    }

    private static void same(LockState expected, LockState actual) {
        assertThat(actual.permits()).isEqualTo(expected.permits());
        assertThat(actual.holders().stream().map(RandomCommandsTest::shown).toList())
                .isEqualTo(expected.holders().stream()
                        .map(RandomCommandsTest::shown)
                        .toList());
        assertThat(actual.waiters().stream().map(RandomCommandsTest::shown).toList())
                .isEqualTo(expected.waiters().stream()
                        .map(RandomCommandsTest::shown)
                        .toList());
        for (int i = 0; i < actual.holders().size(); i++) {
            Duration left = expected.holders().get(i).timeLeft();
            assertThat(actual.holders().get(i).timeLeft()).isBetween(left.minusMinutes(2), left.plusSeconds(1));
        }
    }

    private static List<@Nullable Object> shown(Claimant it) {
        List<@Nullable Object> shown = new ArrayList<>();
        shown.add(it.claimId());
        shown.add(it.mode());
        shown.add(it.permits());
        shown.add(it.holds());
        shown.add(it.thread());
        shown.add(it.token() == null);
        return shown;
    }

    private static String brief(List<Claim> claims) {
        List<String> all = new ArrayList<>();
        for (Claim it : claims) {
            all.add(it.id().substring(it.id().lastIndexOf(':')) + " " + it.mode() + " " + it.policy() + " "
                    + it.permits() + " beside " + it.compatibleWith());
        }
        return String.join(", ", all);
    }
}
