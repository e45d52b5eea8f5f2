package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A long random sequence of commands, each given to the in-memory store and to one of two stores on a database: all
 * answers, and what is to be seen afterwards, are the same. Leases are long, and what waits is renewed before each command,
 * so that time plays no part.
 */
@DisplayName("Whatever the commands, the answers are those of the in-memory store")
@Timeout(300)
class RandomCommandsTest extends StoreTest {

    private static final int COMMANDS = 500;
    private static final int MOST_CLAIMS = 10;

    private final List<String> trace = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private Random random;
    private LockStore memory;
    private JdbcStore[] stores;
    private long lastToken;

    @ParameterizedTest
    @EnumSource
    void onLocks(TestDatabase database) {
        run(database, ResourceType.LOCK, 1);
        run(database, ResourceType.LOCK, 2);
    }

    @ParameterizedTest
    @EnumSource
    void onSemaphores(TestDatabase database) {
        run(database, ResourceType.SEMAPHORE, 3);
        run(database, ResourceType.SEMAPHORE, 4);
    }

    private void run(TestDatabase database, ResourceType kind, long seed) {
        random = new Random(seed);
        memory = memory();
        stores = new JdbcStore[] {open(database), open(database)};
        String name = newName();
        claims.clear();
        tokens.clear();
        trace.clear();
        lastToken = 0;
        for (int i = 0; i < COMMANDS; i++) {
            try {
                keepPlaces(kind, name);
                command(kind, name);
                same(get(memory.inspect(new Resource(kind, name))), get(store().inspect(new Resource(kind, name))));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + ", command " + i + ", after:\n"
                                + String.join("\n", trace.subList(Math.max(0, trace.size() - 25), trace.size())),
                        e);
            }
        }
    }

    private JdbcStore store() {
        return stores[random.nextInt(stores.length)];
    }

    private void command(ResourceType kind, String name) {
        int dice = random.nextInt(100);
        if (claims.isEmpty() || dice < 35) {
            Claim claim = newClaim(kind, name);
            claims.add(claim);
            claim(claim);
            if (claims.size() > MOST_CLAIMS) {
                release(claims.remove(random.nextInt(claims.size())));
            }
            return;
        }
        Claim claim = claims.get(random.nextInt(claims.size()));
        if (dice < 55) {
            claim(claim);
        } else if (dice < 70) {
            renew(kind, claim);
        } else if (dice < 92) {
            release(claim);
            if (random.nextBoolean()) {
                claims.remove(claim);
            }
        } else if (dice < 94) {
            trace.add("force");
            tokens.clear();
            assertThat(get(store().forceRelease(new Resource(kind, name), OptionalLong.empty())))
                    .isEqualTo(get(memory.forceRelease(new Resource(kind, name), OptionalLong.empty())));
            assertThat(get(store().forceRelease(new Resource(kind, name), OptionalLong.empty())))
                    .isFalse();
        } else if (kind == ResourceType.SEMAPHORE) {
            addPermits(name);
        }
    }

    private Claim newClaim(ResourceType kind, String name) {
        String compatibleWith = !claims.isEmpty() && random.nextInt(4) == 0
                ? claims.get(random.nextInt(claims.size())).id()
                : null;
        boolean semaphore = kind == ResourceType.SEMAPHORE;
        Mode mode = semaphore ? Mode.PERMITS : random.nextInt(2) == 0 ? Mode.EXCLUSIVE : Mode.SHARED;
        Claim claim = new Claim(
                name,
                newId(),
                mode,
                Duration.ofMinutes(10 + random.nextInt(10)),
                1,
                OWNER,
                QueuePolicy.values()[random.nextInt(4)],
                semaphore ? 1 + random.nextInt(3) : 1,
                ClaimOptions.tokens(1 + random.nextInt(3))
                        .withCapacity(semaphore ? 4 : 1)
                        .withCompatible(compatibleWith));
        return random.nextInt(3) == 0 ? claim.asRevocable() : claim;
    }

    /** Each claim is sent twice, to either store: the second time must change nothing. */
    private void claim(Claim claim) {
        trace.add("claim " + brief(claim));
        for (int i = 0; i < 2; i++) {
            ClaimResult expected;
            try {
                expected = get(memory.claim(claim));
            } catch (StoreRefusedException e) {
                StoreRefusedException refused = failure(StoreRefusedException.class, store().claim(claim));
                assertThat(refused).hasMessage(e.getMessage());
                assertThat(refused.retryable()).isFalse();
                continue;
            }
            ClaimResult outcome = get(store().claim(claim));
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
                Duration told = ((ClaimResult.Busy) outcome).retryAfter();
                if (claim.mode() == Mode.EXCLUSIVE) {
                    // It may be told of the one that has the lock for itself, though others end before that one does.
                    assertThat(told).isGreaterThan(left.minusMinutes(2));
                } else {
                    assertSimilar(left, told);
                }
            }
        }
    }

    private void renew(ResourceType kind, Claim claim) {
        Claim changed = claim.withHolds(1 + random.nextInt(3));
        if (kind == ResourceType.SEMAPHORE && random.nextBoolean()) {
            changed = changed.withPermits(1 + random.nextInt(claim.permits()));
        }
        List<Claim> renewed = new ArrayList<>(List.of(changed));
        Claim other = claims.get(random.nextInt(claims.size()));
        if (!other.id().equals(claim.id())) {
            renewed.add(other);
        }
        renewed.forEach(it -> trace.add("renew " + brief(it)));
        var expected = get(memory.renew(renewed));
        assertThat(get(store().renew(renewed))).isEqualTo(expected);
        assertThat(get(store().renew(renewed))).isEqualTo(expected);
    }

    private void release(Claim claim) {
        tokens.remove(claim.id());
        trace.add("release " + brief(claim));
        assertThat(get(store().release(claim))).isEqualTo(get(memory.release(claim)));
        assertThat(get(store().release(claim))).isEqualTo(new ReleaseResult(false, false));
    }

    private void addPermits(String name) {
        int by = random.nextInt(5) - 2;
        String id = newId();
        trace.add("add " + by);
        int expected = get(((SemaphoreStore) memory).addPermits(name, id, by, 4));
        for (int i = 0; i < 2; i++) {
            assertThat(get(store().addPermits(name, id, by, 4))).isEqualTo(expected);
        }
    }

    private void keepPlaces(ResourceType kind, String name) {
        List<String> ids = get(memory.inspect(new Resource(kind, name))).waiters().stream()
                .map(Claimant::claimId)
                .toList();
        List<Claim> waiting =
                claims.stream().filter(claim -> ids.contains(claim.id())).toList();
        get(memory.renew(waiting));
        get(store().renew(waiting));
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
            assertSimilar(
                    expected.holders().get(i).timeLeft(),
                    actual.holders().get(i).timeLeft());
        }
    }

    private static void assertSimilar(Duration expected, Duration actual) {
        assertThat(actual).isBetween(expected.minusMinutes(2), expected.plusSeconds(5));
    }

    private static String shown(Claimant it) {
        return it.claimId() + " " + it.mode() + " " + it.permits() + " " + it.holds() + " " + it.client() + " "
                + it.host() + " " + it.process() + " " + it.thread() + " " + (it.token() == null);
    }

    private static String brief(Claim it) {
        return it.id().substring(it.id().lastIndexOf(':')) + " " + it.mode() + " " + it.policy() + " " + it.permits()
                + " beside " + it.compatibleWith();
    }
}
