package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Another replica of the master that was replaced")
class HistoryTest {

    private static final String NONE = "0".repeat(40);
    private static final long LONG = 1_000_000;

    private final History promoted = new History("bbbb", "aaaa", 500, 0);

    @Test
    @DisplayName("had no more than the promoted one if it went on from there, or from further back")
    void hadNoMore() {
        assertTrue(new History("bbbb", "aaaa", 500, LONG).hadNoMoreThan(promoted, LONG));
        assertTrue(new History("bbbb", "aaaa", 499, LONG).hadNoMoreThan(promoted, LONG));
    }

    @Test
    @DisplayName("may have had more if it had to copy all, and has no history before")
    void copiedAll() {
        assertFalse(new History("bbbb", "", 0, LONG).hadNoMoreThan(promoted, LONG));
    }

    @Test
    @DisplayName("may have had more if it has a history of its own")
    void anotherHistory() {
        assertFalse(new History("cccc", "aaaa", 500, LONG).hadNoMoreThan(promoted, LONG));
        assertFalse(new History("bbbb", "cccc", 500, LONG).hadNoMoreThan(promoted, LONG));
        assertFalse(new History("bbbb", "aaaa", 501, LONG).hadNoMoreThan(promoted, LONG));
    }

    @Test
    @DisplayName("may have had more if it was restarted since, and has forgotten what it had acknowledged")
    void restarted() {
        assertFalse(new History("bbbb", "aaaa", 400, 4_999).hadNoMoreThan(promoted, 5_000));
    }

    @Test
    @DisplayName("says nothing of a server that was never promoted")
    void neverPromoted() {
        History first = new History("aaaa", "", 0, 0);
        assertFalse(new History("aaaa", "", 0, LONG).hadNoMoreThan(first, 0));
        assertFalse(new History("", "", 0, LONG).isBehind(first));
    }

    @Test
    @DisplayName("may still follow the old master, and acknowledge what that grants, until it has the new history")
    void behind() {
        assertTrue(new History("aaaa", "", 0, LONG).isBehind(promoted));
        assertFalse(new History("bbbb", "aaaa", 500, LONG).isBehind(promoted));
    }

    @Test
    @DisplayName("tells of its history, and for how long it has been up, to the next second")
    void parsed() {
        assertEquals(new History("b1", "a1", 42, 7_999), History.parse(replication("b1", "a1", 42), uptime(7)));
        assertEquals(new History("b1", "", 0, 7_999), History.parse(replication("b1", NONE, -1), uptime(7)));
        assertEquals(new History("", "", 0, 999), History.parse("", ""));
    }

    private static String replication(String id, String before, long offset) {
        return "# Replication\r\nrole:slave\r\nmaster_replid:" + id + "\r\nmaster_replid2:" + before
                + "\r\nmaster_repl_offset:77\r\nsecond_repl_offset:" + offset + "\r\n";
    }

    private static String uptime(long seconds) {
        return "# Server\r\nuptime_in_seconds:" + seconds + "\r\nuptime_in_days:0\r\n";
    }
}
