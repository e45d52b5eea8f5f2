package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of servers that only speak for themselves,")
class SuccessionTest {

    private static final Address OLD = new Address("127.0.0.1", 1);
    private static final Address NEXT = new Address("127.0.0.1", 2);
    private static final Address THIRD = new Address("127.0.0.1", 3);
    private static final List<Address> ALL = List.of(OLD, NEXT, THIRD);

    private static final String SILENT = "";
    private static final String FIRST_DATA = history("aaaa", "0000");
    private static final String PROMOTED_DATA = history("bbbb", "aaaa");

    private final Succession succession = new Succession(ALL, 0);

    @Test
    @DisplayName("the one that says it is the master is, and the others could take its place")
    void plain() {
        begin(SILENT);
        assertEquals(Optional.of(OLD), succession.master(ALL));
        assertEquals(2, succession.promotable(0));
        assertTrue(succession.leads(OLD));
        assertFalse(succession.leads(NEXT));
        assertEquals(Optional.empty(), succession.master(List.of(NEXT, THIRD)));
    }

    @Test
    @DisplayName("who has not answered for a while is down, but one has to be there")
    void down() {
        begin(SILENT);
        succession.master(ALL);
        long later = Duration.ofSeconds(6).toNanos();
        replica(NEXT, later);
        assertEquals(1, succession.promotable(later));
        assertEquals(1, succession.promotable(3 * later));
        assertEquals(0, new Succession(List.of(OLD), 0).promotable(0));
    }

    @Test
    @DisplayName("one that is promoted while another still follows the old master could take its place all the more")
    void promotedAlone() {
        begin(SILENT);
        succession.master(ALL);
        master(NEXT, 0, SILENT);
        master(OLD, 1, SILENT);
        assertEquals(Optional.of(OLD), succession.master(ALL));
        assertEquals(2, succession.promotable(0));
    }

    @Test
    @DisplayName("a master whose replicas have gone over to one of them is left behind, until it follows as well")
    void replaced() {
        begin(SILENT);
        succession.master(ALL);
        takeOver(SILENT, SILENT);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
        assertEquals(1, succession.promotable(0));
        assertFalse(succession.leads(OLD));
        replica(OLD, 0);
        assertEquals(2, succession.promotable(0));
    }

    @Test
    @DisplayName("a master that was left behind stays so, whatever follows it again")
    void staysBehind() {
        begin(SILENT);
        succession.master(ALL);
        takeOver(SILENT, SILENT);
        succession.master(ALL);
        master(OLD, 2, SILENT);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
    }

    @Test
    @DisplayName("which of two masters is the older can't be told by who sees them for the first time, so both count")
    void unknown() {
        takeOver(SILENT, SILENT);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
        assertEquals(2, succession.promotable(0));
    }

    @Test
    @DisplayName("unless they tell of their histories")
    void told() {
        takeOver(FIRST_DATA, PROMOTED_DATA);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
        assertEquals(1, succession.promotable(0));
    }

    @Test
    @DisplayName("one that tells it was promoted is the master before others follow it")
    void promotedFirst() {
        begin(FIRST_DATA);
        succession.master(ALL);
        master(NEXT, 0, PROMOTED_DATA);
        master(OLD, 1, FIRST_DATA);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
        assertEquals(1, succession.promotable(0));
    }

    @Test
    @DisplayName("two that were promoted from the same are both new")
    void twoPromoted() {
        begin(FIRST_DATA);
        succession.master(ALL);
        master(NEXT, 1, PROMOTED_DATA);
        master(THIRD, 0, history("cccc", "aaaa"));
        master(OLD, 0, FIRST_DATA);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
        assertEquals(1, succession.promotable(0));
        assertTrue(succession.leads(THIRD));
    }

    @Test
    @DisplayName("masters that nobody was promoted from have no history in common")
    void strangers() {
        master(OLD, 0, history("aaaa", "0000"));
        master(NEXT, 1, history("bbbb", "0000"));
        replica(THIRD, 0);
        assertEquals(Optional.of(NEXT), succession.master(ALL));
        assertEquals(2, succession.promotable(0));
    }

    private void begin(String history) {
        master(OLD, 2, history);
        replica(NEXT, 0);
        replica(THIRD, 0);
    }

    /** The next has been promoted, the third follows it, and the old one has not been told. */
    private void takeOver(String oldHistory, String nextHistory) {
        master(OLD, 0, oldHistory);
        master(NEXT, 1, nextHistory);
        replica(THIRD, 0);
    }

    private void master(Address who, int followers, String history) {
        List<Object> following = Collections.nCopies(followers, List.of("127.0.0.1", "9", "0"));
        succession.said(who, List.of("master", 0L, following), history, 0);
    }

    private void replica(Address who, long now) {
        succession.said(who, List.of("slave", "127.0.0.1", 1L, "connected", 0L), FIRST_DATA, now);
    }

    private static String history(String own, String origin) {
        return "# Replication\r\nrole:master\r\nmaster_replid:" + own + "\r\nmaster_replid2:" + origin + "\r\n";
    }
}
