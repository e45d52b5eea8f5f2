package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.redis.Deployment.Form;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of what a promoted server may lack,")
class WitnessesTest {

    private static final Address MASTER = new Address("10.0.0.1", 6379);
    private static final Address OLD = new Address("10.0.0.2", 6379);
    private static final Address OTHER = new Address("10.0.0.3", 6379);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Set<Address> witnesses(Form form, Address... others) {
        Roster roster = new Roster(1, Set.of(), Set.of(others));
        return Tenure.witnesses(form, roster, MASTER, OLD.toString());
    }

    @Test
    @DisplayName("the other replicas are witnesses, not the old master")
    void others() {
        assertEquals(Set.of(OTHER), witnesses(Form.SENTINEL, MASTER, OLD, OTHER));
        assertEquals(Set.of(OTHER), witnesses(Form.REPLICATED, OLD, OTHER));
        assertEquals(Set.of(OTHER), witnesses(Form.CLUSTER, OTHER));
    }

    @Test
    @DisplayName("there are none if there was no other replica")
    void alone() {
        assertEquals(Set.of(), witnesses(Form.SENTINEL, OLD));
        assertEquals(Set.of(), witnesses(Form.REPLICATED, OLD));
        assertEquals(Set.of(), witnesses(Form.CLUSTER));
    }

    @Test
    @DisplayName("it is not known which there are if sentinels list no other server, or not the old master")
    void unknown() {
        assertNull(witnesses(Form.SENTINEL));
        assertNull(witnesses(Form.SENTINEL, OTHER), "the sentinels were reset, and a third replica may be missing");
        assertNull(witnesses(Form.REPLICATED), "the URI names one server");
    }

    @Test
    @DisplayName(
            "the longest lease is not known before its record was read, so only short leases may leave out a replica")
    void unread() {
        RedisClient lettuce = RedisClient.create();
        try {
            Deployment deployment = RedisAddress.parse("redis-replica://127.0.0.1:1,127.0.0.1:2", StoreTest.CONFIG);
            Tenure tenure = new Tenure(
                    "a store",
                    LettuceClient.given(lettuce),
                    deployment,
                    new Replicas(deployment.barrier(), System::nanoTime),
                    new Epoch.Memory(),
                    () -> "key");
            Link link = new Link(null, null, null);
            assertTrue(tenure.mayLeaveOut(link, Duration.ofSeconds(30)));
            assertFalse(tenure.mayLeaveOut(link, MINUTE));
            assertFalse(tenure.mayLeaveOut(link, MINUTE.multipliedBy(5)));
        } finally {
            lettuce.shutdown();
        }
    }
}
