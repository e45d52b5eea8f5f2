package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.redis.SentinelViews.Found;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("By what sentinels say,")
class SentinelViewsTest {

    private static final int MASTER = 9;
    private static final int EPOCH = 4;

    private final AtomicLong nanos = new AtomicLong();
    private SentinelViews views = new SentinelViews(3, nanos::get);

    @Nested
    @DisplayName("those replicas count")
    class Promotable {

        private static final Map<String, String> ONE = replica(1, "slave", "slave", "m");
        private static final Map<String, String> TWO = replica(2, "slave", "slave", "m");
        private static final Map<String, String> TWO_DOWN = replica(2, "s_down,slave,disconnected", "slave", "m");
        private static final Map<String, String> TWO_CUT = replica(2, "slave,disconnected", "slave", "m");

        /** As listed right after it was replaced, and when it is taken for down. */
        private static final Map<String, String> OLD = replica(3, "slave,disconnected", "slave", "?");

        private static final Map<String, String> OLD_DOWN = replica(3, "s_down,slave,disconnected", "slave", "?");
        private static final Map<String, String> TWO_DOWN_SINCE = replica(2, "s_down,slave,disconnected", "slave", "?");

        @Test
        @DisplayName("that one of them reaches")
        void reached() {
            assertEquals(2, promotable(view(ONE, TWO), view(ONE, TWO), view(ONE, TWO)));
            assertEquals(2, promotable(view(ONE, TWO_DOWN), view(ONE, TWO_DOWN), view(ONE, TWO)));
            assertEquals(1, promotable(view(ONE, TWO_DOWN), view(ONE, TWO_DOWN), view(ONE, TWO_DOWN)));
            assertEquals(1, promotable(view(ONE, TWO_DOWN), view(ONE, TWO_DOWN)));
        }

        @Test
        @DisplayName("that most of them can't answer for: they may be where another one is made the master")
        void cutOff() {
            assertEquals(2, promotable(view(ONE, TWO_DOWN)));
        }

        @Test
        @DisplayName("whose connection has just broken, until they are taken for down")
        void broken() {
            assertEquals(2, promotable(view(ONE, TWO_CUT), view(ONE, TWO_CUT), view(ONE, TWO_CUT)));
        }

        @Test
        @DisplayName("that are not known to all of them yet")
        void unknown() {
            assertEquals(2, promotable(view(ONE), view(ONE), view(ONE, TWO)));
        }

        @Test
        @DisplayName("and at least one if there ever was any")
        void atLeastOne() {
            assertEquals(1, promotable(view(TWO_DOWN), view(TWO_DOWN), view(TWO_DOWN)));
            assertEquals(0, promotable(view(), view(), view()));
        }

        @Test
        @DisplayName("and at least one if fewer than most of them say that there is none")
        void fewKnowOfNone() {
            assertEquals(1, promotable(view()));
            assertEquals(0, promotable(view(), view()));
        }

        @Test
        @DisplayName("and at least one if there is any besides the master that was replaced, though both are down")
        void bothDown() {
            assertEquals(1, promotable(view(OLD_DOWN, TWO_DOWN_SINCE), view(OLD_DOWN, TWO_DOWN_SINCE)));
            replace();
            assertEquals(1, promotable(view(OLD_DOWN, TWO_DOWN_SINCE), view(OLD_DOWN, TWO_DOWN_SINCE)));
            assertEquals(1, promotable(view(TWO_DOWN_SINCE), view(TWO_DOWN_SINCE)));
            assertEquals(0, promotable(view(OLD_DOWN), view(OLD_DOWN)));
        }

        @Test
        @DisplayName("but not the only one listed if that may be the master that was replaced, and is down")
        void onlyTheOldOne() {
            assertEquals(0, promotable(view(OLD_DOWN), view(OLD_DOWN)));
        }

        @Test
        @DisplayName("but not the master that was replaced, before it follows the new one")
        void replaced() {
            // Who does not know that it was the master can't tell it from one that is only just being connected to.
            assertEquals(2, promotable(view(ONE, OLD), view(ONE, OLD), view(ONE, OLD)));
            Map<String, String> stale = replica(3, "slave", "master", "?");
            assertEquals(1, promotable(view(ONE, stale), view(ONE, stale)));
            replace();
            assertEquals(1, promotable(view(ONE, OLD), view(ONE, OLD), view(ONE, OLD)));
            assertEquals(1, promotable(view(ONE, OLD)));
            Map<String, String> back = replica(3, "slave", "slave", "m");
            assertEquals(2, promotable(view(ONE, back), view(ONE, back)));
        }

        @Test
        @DisplayName("that say they are masters: they may just have been promoted, while the others have not left yet")
        void justPromoted() {
            Map<String, String> promoted = replica(2, "slave", "master", "m");
            assertEquals(2, promotable(view(ONE, promoted), view(ONE, promoted), view(ONE, promoted)));
        }

        /** For one to whom they have named the one at 3 before. */
        private void replace() {
            views = new SentinelViews(3, nanos::get);
            assertEquals(3, found(view(3, EPOCH - 1)).master().port());
        }

        private int promotable(SentinelView... said) {
            return found(said).roster().promotable();
        }
    }

    @Test
    @DisplayName("the master of the newest epoch is believed")
    void newest() {
        assertEquals(
                MASTER, found(view(3, EPOCH - 1), view(MASTER, EPOCH)).master().port());
        assertEquals(
                MASTER, found(view(MASTER, EPOCH), view(3, EPOCH - 1)).master().port());
    }

    @Test
    @DisplayName("nobody who has not heard of a failover takes us back, unless all say so")
    void notBack() {
        found(view(MASTER, EPOCH));
        SentinelView behind = view(3, EPOCH - 1);
        assertEquals(Optional.empty(), views.newest(List.of(behind, behind)));
        assertEquals(MASTER, found(behind, behind, view(MASTER, EPOCH)).master().port());
        assertEquals(3, found(behind, behind, behind).master().port());
    }

    @Test
    @DisplayName("who leads a failover means the promoted one, though it names the old one until all follow")
    void leads() {
        Map<String, String> promoted = replica(MASTER, "slave,promoted", "master", "m");
        Map<String, String> other = replica(2, "slave,reconf_sent", "slave", "m");
        SentinelView leader =
                SentinelView.parse(named(3, EPOCH, "master,failover_in_progress"), List.of(promoted, other));
        SentinelView unaware = view(3, EPOCH - 1, replica(MASTER, "slave", "master", "m"), other);
        SentinelView aware = view(MASTER, EPOCH, replica(3, "slave", "slave", "?"), replica(2, "slave", "slave", "?"));
        for (List<SentinelView> order :
                List.of(List.of(leader, unaware), List.of(leader, unaware, aware), List.of(aware, unaware, leader))) {
            assertEquals(
                    MASTER, found(order.toArray(SentinelView[]::new)).master().port());
        }
        assertFound(MASTER, 1, found(leader, leader));
    }

    @Test
    @DisplayName("who leads a failover means the old one until the replica says that it is the master")
    void notYet() {
        Map<String, String> chosen = replica(MASTER, "slave,promoted", "slave", "m");
        Map<String, String> other = replica(2, "slave", "slave", "m");
        SentinelView leader =
                SentinelView.parse(named(3, EPOCH, "master,failover_in_progress"), List.of(chosen, other));
        assertFound(3, 2, found(leader, leader));
    }

    private static void assertFound(int master, int promotable, Found found) {
        assertEquals(master, found.master().port());
        assertEquals(promotable, found.roster().promotable());
    }

    private Found found(SentinelView... said) {
        return views.newest(List.of(said)).orElseThrow();
    }

    @SafeVarargs
    private static SentinelView view(Map<String, String>... replicas) {
        return SentinelView.parse(named(MASTER, EPOCH, "master"), List.of(replicas));
    }

    @SafeVarargs
    private static SentinelView view(int master, int epoch, Map<String, String>... replicas) {
        return SentinelView.parse(named(master, epoch, "master"), List.of(replicas));
    }

    private static Map<String, String> named(int port, int epoch, String flags) {
        return Map.of(
                "ip",
                "127.0.0.1",
                "port",
                Integer.toString(port),
                "config-epoch",
                Integer.toString(epoch),
                "flags",
                flags);
    }

    private static Map<String, String> replica(int port, String flags, String role, String master) {
        return Map.of(
                "ip",
                "127.0.0.1",
                "port",
                Integer.toString(port),
                "flags",
                flags,
                "role-reported",
                role,
                "slave-master-host",
                master);
    }
}
