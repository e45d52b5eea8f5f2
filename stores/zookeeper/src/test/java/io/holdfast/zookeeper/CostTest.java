package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueuePolicy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the server is asked, as the server itself counts it. */
@DisplayName("The requests that reach ZooKeeper")
@Isolated("counts commands")
class CostTest extends StoreTest {

    private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");
    private static final int ROUNDS = 50;

    /** Clients say now and then that they are there, which is counted as well: three of them, twice a second at most. */
    private static final int PINGS_A_SECOND = 6;

    private final long start = System.nanoTime();

    private int atMost(int requests) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + 1;
        return requests + (int) seconds * PINGS_A_SECOND;
    }

    private int received() throws Exception {
        Matcher received = RECEIVED.matcher(FourLetterWordMain.send4LetterWord("127.0.0.1", server.getPort(), "srvr"));
        assertThat(received.find()).isTrue();
        return Integer.parseInt(received.group(1));
    }

    @Test
    @DisplayName("are one for a lock that nobody uses, and one for its release")
    void uncontended() throws Exception {
        ZooKeeperStore store = direct();
        once(store, "lock");
        int before = received();
        for (int i = 0; i < ROUNDS; i++) {
            once(store, "lock");
        }
        assertThat(received() - before).isBetween(2 * ROUNDS, atMost(2 * ROUNDS));
    }

    private void once(LockStore store, String name) throws Exception {
        Claim claim = claim(name, QueuePolicy.BARGES, LONG);
        granted(store, claim);
        get(store.release(claim));
    }

    @Test
    @DisplayName("are one to renew what is held, and one to claim it again")
    void renewal() throws Exception {
        ZooKeeperStore store = direct();
        Claim claim = claim("lock", QueuePolicy.BARGES, LONG);
        granted(store, claim);
        int before = received();
        for (int i = 0; i < ROUNDS; i++) {
            get(store.renew(List.of(claim)));
            granted(store, claim);
        }
        assertThat(received() - before).isBetween(2 * ROUNDS, atMost(2 * ROUNDS));
    }

    @Test
    @DisplayName("are two, in one round trip, for who asks again for what another has")
    void busy() throws Exception {
        ZooKeeperStore store = direct();
        granted(direct(), claim("lock", QueuePolicy.BARGES, LONG));
        Claim waiting = claim("lock", QueuePolicy.BARGES, LONG);
        waits(store, waiting);
        int before = received();
        for (int i = 0; i < ROUNDS; i++) {
            waits(store, waiting);
        }
        assertThat(received() - before).isBetween(2 * ROUNDS, atMost(2 * ROUNDS));
    }
}
