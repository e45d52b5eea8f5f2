package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.redis.SentinelView.Replica;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("That nobody can have left a replica out")
class AttendanceTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long DOWN_AFTER = 5_000;
    private static final Address MASTER = at(1);
    private static final Address REPLICA = at(2);

    private final Attendance attendance = new Attendance(3);
    private long now = -10 * SECOND; // a monotonic clock may be anywhere

    @Test
    @DisplayName("is known once so many sentinels hear it that the rest are not most")
    void enough() {
        said(1);
        assertNull(since());
        long from = now;
        now += SECOND;
        said(1, 2);
        assertEquals(now, since());
        now += SECOND;
        said(1, 2, 3);
        assertEquals(from + SECOND, since());
    }

    @Test
    @DisplayName("is known for as long as they are asked often enough to see each time that one would take it for down")
    void unbroken() {
        said(1, 2);
        long from = now;
        for (int i = 0; i < 10; i++) {
            now += 4 * SECOND;
            said(1, 2);
        }
        assertEquals(from, since());
        now += 5 * SECOND; // it may have been down and back
        said(1, 2);
        assertEquals(now, since());
    }

    @Test
    @DisplayName("takes into account how long ago they have heard it")
    void silent() {
        said(1, 2);
        now += 3 * SECOND;
        say(1, 2_500, true);
        say(2, 2_500, true);
        assertEquals(now - 3 * SECOND, since());
        now += 3 * SECOND;
        assertNull(since(), "it may be taken for down by now");
    }

    @Test
    @DisplayName("is not known while one that is needed takes it for down, and then begins anew")
    void down() {
        said(1, 2);
        now += SECOND;
        say(2, 9_000, false);
        assertNull(since());
        now += SECOND;
        said(1, 2);
        assertEquals(now, since());
    }

    @Test
    @DisplayName("is not known of one that is no longer listed, as after a reset")
    void unlisted() {
        said(1, 2);
        attendance.said(at(101), new SentinelView(MASTER, 1, Set.of(), 0), now, now);
        assertNull(since());
    }

    @Test
    @DisplayName("is known of the replicas of one master, and not of what they do under the next")
    void nextMaster() {
        said(1, 2);
        attendance.said(at(101), new SentinelView(at(3), 2, Set.of(replica(0, true)), 0), now, now);
        assertNotNull(since());
        attendance.forgetOthers(at(3));
        assertNull(since());
    }

    private void said(int... sentinels) {
        for (int sentinel : sentinels) {
            say(sentinel, 0, true);
        }
    }

    private void say(int sentinel, long silentMillis, boolean reached) {
        attendance.said(
                at(100 + sentinel), new SentinelView(MASTER, 1, Set.of(replica(silentMillis, reached)), 0), now, now);
    }

    private static Replica replica(long silentMillis, boolean reached) {
        return new Replica(REPLICA, reached, true, false, silentMillis, DOWN_AFTER);
    }

    private @Nullable Long since() {
        return attendance.since(MASTER, REPLICA, now);
    }

    private static Address at(int port) {
        return new Address("127.0.0.1", port);
    }
}
