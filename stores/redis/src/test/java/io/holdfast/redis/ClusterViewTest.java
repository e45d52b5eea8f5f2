package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.redis.ClusterView.Shard;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the nodes of a cluster say")
class ClusterViewTest {

    private static final String WHOLE = """
            m1 10.0.0.1:1@11 myself,master - 0 0 1 connected 0-8191 [8000->-m2]
            m2 10.0.0.1:2@12 master - 0 0 2 connected 8192-16383
            r1 10.0.0.1:3@13 slave m1 0 0 1 connected
            r2 10.0.0.1:4@14 slave m1 0 0 1 connected
            r3 10.0.0.1:5@15 slave,fail? m2 0 0 2 connected
            """;

    /** The first of the two has taken the place of the first master, and the other one is still listed with that. */
    private static final String PROMOTED = """
            m1 10.0.0.1:1@11 master,fail - 0 0 1 disconnected
            m2 10.0.0.1:2@12 myself,master - 0 0 2 connected 8192-16383
            r1 10.0.0.1:3@13 master - 0 0 3 connected 0-8191
            r2 10.0.0.1:4@14 slave m1 0 0 1 connected
            r3 10.0.0.1:5@15 slave m2 0 0 2 connected
            """;

    @Test
    @DisplayName("is who keeps which slot, and how many replicas could take its place")
    void whole() {
        ClusterView view = view(WHOLE);
        assertEquals(
                new Shard(at(1), 1, 2, Set.of(at(3), at(4)), Set.of(at(3), at(4))),
                view.slots().get(0));
        assertEquals(
                new Shard(at(1), 1, 2, Set.of(at(3), at(4)), Set.of(at(3), at(4))),
                view.slots().get(8191));
        assertEquals(
                new Shard(at(2), 2, 1, Set.of(at(5)), Set.of(at(5))),
                view.slots().get(8192));
        assertEquals(List.of(), List.copyOf(view.empty()));
    }

    @Test
    @DisplayName("is that a replica which is down does not count, but one has to be there if any is listed")
    void down() {
        ClusterView one = view(WHOLE.replace("3@13 slave", "3@13 slave,fail"));
        assertEquals(1, promotable(one, 0));
        ClusterView none = view(WHOLE.replace("slave,fail?", "slave,fail"));
        assertEquals(1, promotable(none, 8192));
    }

    @Test
    @DisplayName("is, after a promotion, that the replicas which are still listed with the old master count")
    void orphans() {
        ClusterView view = view(PROMOTED);
        assertEquals(at(3), master(view, 0));
        assertEquals(1, promotable(view, 0));
        assertEquals(1, promotable(view, 8192));
        assertEquals(1, promotable(view(PROMOTED.replace("4@14 slave", "4@14 slave,fail")), 0));
    }

    @Test
    @DisplayName("is, after a promotion that was asked for, the same, though the old master is up")
    void failedOverByHand() {
        assertEquals(1, promotable(view(PROMOTED.replace("master,fail", "master")), 0));
    }

    @Test
    @DisplayName("is that a master which was promoted as the last one has nobody to wait for")
    void last() {
        assertEquals(0, promotable(view(PROMOTED.replace("slave m1", "slave m2")), 0));
    }

    @Test
    @DisplayName("is that replicas of a master which never had a slot are nobody else's")
    void joined() {
        String alone = """
                m1 10.0.0.1:1@11 myself,master - 0 0 1 connected 0-16383
                m2 10.0.0.1:2@12 master - 0 0 0 connected
                r1 10.0.0.1:3@13 slave m2 0 0 0 connected
                """;
        assertEquals(0, promotable(view(alone), 0));
        assertEquals(
                List.of(new Shard(at(2), 0, 1, Set.of(at(3)), Set.of(at(3)))),
                List.copyOf(view(alone).empty()));
    }

    @Test
    @DisplayName("is, of each slot, what is newest; and of replicas, what most are known by one of them")
    void newest() {
        ClusterView before = view(WHOLE);
        ClusterView after = view(PROMOTED);
        for (List<ClusterView> order : List.of(List.of(before, after), List.of(after, before))) {
            ClusterView both = ClusterView.newest(order);
            assertEquals(at(3), master(both, 0));
            assertEquals(at(2), master(both, 8192));
            assertEquals(List.of(), List.copyOf(both.empty()));
        }
    }

    @Test
    @DisplayName("is that a master with its first slot is no longer an empty one, if one of them says so")
    void firstSlot() {
        String joined = "m3 10.0.0.1:6@16 master - 0 0 0 connected";
        ClusterView without = view(WHOLE + joined);
        ClusterView with = view(WHOLE.replace("0-8191", "1-8191") + joined.replace("0 0 0", "0 0 3") + " 0");
        assertEquals(List.of(new Shard(at(6), 0, 0, Set.of(), Set.of())), List.copyOf(without.empty()));
        ClusterView both = ClusterView.newest(List.of(without, with));
        assertEquals(at(6), master(both, 0));
        assertEquals(List.of(), List.copyOf(both.empty()));
        assertNull(view(WHOLE.replace("0-8191", "1-8191")).slots().get(0));
    }

    private static ClusterView view(String nodes) {
        return ClusterView.parse(nodes, "10.0.0.1");
    }

    private static int promotable(ClusterView view, int slot) {
        return shard(view, slot).promotable();
    }

    private static Address master(ClusterView view, int slot) {
        return shard(view, slot).master();
    }

    private static Shard shard(ClusterView view, int slot) {
        Shard shard = view.slots().get(slot);
        assertNotNull(shard);
        return shard;
    }

    private static Address at(int port) {
        return new Address("10.0.0.1", port);
    }
}
