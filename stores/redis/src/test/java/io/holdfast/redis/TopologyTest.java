package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.NotReplicatedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("In each topology")
@Timeout(90)
class TopologyTest {

    enum Form {
        REPLICATED(() -> new ReplicatedServers(2)),
        SENTINEL(SentinelServers::new),
        CLUSTER(ClusterOfServers::new);

        final Supplier<Deployed> start;

        Form(Supplier<Deployed> start) {
            this.start = start;
        }
    }

    private final String client = UUID.randomUUID().toString();
    private final AtomicInteger claims = new AtomicInteger();

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("locks are taken, kept, told of, listed and given back, and their grants are on the replicas")
    void works(Form form) {
        try (Deployed servers = form.start.get();
                RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG);
                RedisStore other = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            assertEquals(Guarantee.REPLICATED, store.traits().guarantee());
            List<String> names = List.of("a", "b", "c{d}e", "a{}b", "}{", "{", "{}", "}x{y", "{{a}}", "e{f}{g}");
            for (String name : names) {
                AtomicInteger calls = new AtomicInteger();
                Claim claim = claim(name);
                try (Subscription watch = other.watch(Resource.lock(name), calls::incrementAndGet)) {
                    StoreTest.await("in place: " + name, () -> calls.get() == 1);
                    granted(store, claim);
                    RedisServerProcess master =
                            servers.masterOf(Keys.of(ResourceType.LOCK, name).holders());
                    for (RedisServerProcess replica : servers.replicasOf(master)) {
                        String key = Keys.of(ResourceType.LOCK, name).holders();
                        assertEquals(
                                Set.of(claim.id()),
                                servers.on(replica, redis -> {
                                            redis.getStatefulConnection()
                                                    .async()
                                                    .readOnly();
                                            return redis.hgetall(key);
                                        })
                                        .keySet());
                    }
                    StoreTest.waiting(other, claim(name));
                    assertEquals(
                            Map.of(claim.id(), ClaimStatus.HELD), StoreTest.get(store.renew(List.of(claim))), name);
                    assertTrue(StoreTest.get(store.release(claim)).held());
                    StoreTest.await("told of " + name, () -> calls.get() >= 2);
                }
                granted(other, claim);
            }
            assertEquals(
                    Set.copyOf(names),
                    StoreTest.get(store.list(ResourceType.LOCK, "", 100)).stream()
                            .map(LockState::name)
                            .collect(Collectors.toSet()));
        }
    }

    /** On a busy machine a replica may be late; then it is asked for again, as the engine would. */
    private static void granted(RedisStore store, Claim claim) {
        StoreTest.await("granted: " + claim.name(), () -> {
            try {
                return StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted;
            } catch (NotReplicatedException e) {
                return false;
            }
        });
    }

    private Claim claim(String name) {
        return new Claim(
                name,
                client + ":" + claims.incrementAndGet(),
                Mode.EXCLUSIVE,
                Duration.ofSeconds(30),
                1,
                1,
                StoreTest.OWNER);
    }
}
