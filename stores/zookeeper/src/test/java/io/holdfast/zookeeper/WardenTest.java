package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The warden")
class WardenTest extends StoreTest {

    private Ledger ledger() {
        return ledger(plain);
    }

    private static Ledger ledger(ZooKeeper client) {
        Session session = new Session(
                ended -> Connection.given(() -> client),
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                "/holdfast");
        return new Ledger(session, new Tree("/holdfast"), new Errors("ZooKeeper", null), System::nanoTime);
    }

    @Test
    @DisplayName("removes the claims of the dead after their leases, and nothing else")
    void removes() throws Exception {
        ZooKeeperStore dead = direct();
        ZooKeeperStore alive = direct();
        granted(dead, claim("dead", QueuePolicy.BARGES, Duration.ofMillis(200)));
        Claim held = claim("alive", QueuePolicy.BARGES, LONG);
        granted(alive, held);
        get(alive.addPermits("semaphore", "id", 1, 5));
        get(alive.latches().set("latch", "id", 1));
        dead.close();
        Warden warden = new Warden(ledger());
        get(warden.round());
        assertThat(nodes()).hasSize(7);
        Thread.sleep(250); // time is what ends it
        get(warden.round());
        assertThat(nodes()).hasSize(5).noneMatch(path -> path.contains("dead"));
        get(warden.round());
        assertThat(get(alive.inspect(Resource.lock("alive"))).isLocked()).isTrue();
        assertThat(get(alive.inspect(Resource.semaphore("semaphore"))).permits())
                .isEqualTo(6);
        assertThat(get(alive.latches().look("latch")).count()).isEqualTo(1);
    }

    @Test
    @DisplayName("is one at a time, the oldest")
    void isTheOldest() throws Exception {
        ZooKeeperStore dead = direct();
        granted(dead, claim("dead", QueuePolicy.BARGES, Duration.ofMillis(1)));
        Ledger ledger = ledger();
        Warden first = new Warden(ledger);
        Warden second = new Warden(ledger());
        get(first.round());
        for (int i = 0; i < 2; i++) {
            Thread.sleep(20); // time is what ends it
            get(second.round());
            assertThat(nodes()).hasSize(2);
        }
        get(first.round());
        assertThat(nodes()).isEmpty();
    }

    @Test
    @DisplayName("is the oldest of those who may remove the same nodes")
    void isTheOldestOfItsUser() throws Exception {
        String uri = "zookeeper://alice:s3cret@" + server.getConnectString();
        LockStore dead = opened(ZooKeeperStore.open(uri, TIMEOUT, System::nanoTime));
        get(new Warden(ledger()).round()); // older, and may not see what is below
        granted(dead, claim("dead", QueuePolicy.BARGES, Duration.ofMillis(1)));
        dead.close();
        plain.addAuthInfo("digest", "alice:s3cret".getBytes(StandardCharsets.UTF_8));
        Session session = new Session(
                ended -> Connection.given(() -> plain),
                ZooDefs.Ids.CREATOR_ALL_ACL,
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                "/holdfast");
        Warden warden =
                new Warden(new Ledger(session, new Tree("/holdfast"), new Errors("ZooKeeper", null), System::nanoTime));
        until("it is removed", () -> {
            get(warden.round());
            return nodes().isEmpty();
        });
    }

    @Test
    @DisplayName("removes the claims of the dead though there are far more claims than it can remember")
    void removesMoreThanItRemembers() throws Exception {
        ZooKeeperStore dead = direct();
        ZooKeeperStore alive = direct();
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            granted(dead, claim("dead-" + i, QueuePolicy.BARGES, Duration.ofMillis(1)));
            Claim one = claim("alive-" + i, QueuePolicy.BARGES, LONG);
            granted(alive, one);
            held.add(one);
        }
        dead.close();
        Warden warden = new Warden(ledger(), 5);
        for (int round = 0; round < 60 && nodes().stream().anyMatch(node -> node.contains("dead")); round++) {
            get(alive.renew(held));
            get(warden.round());
        }
        assertThat(nodes()).hasSize(2 * held.size()).noneMatch(node -> node.contains("dead"));
        for (Claim one : held) {
            assertThat(get(alive.release(one)).held()).isTrue();
        }
        get(warden.round());
        get(warden.round());
        assertThat(warden.remembered()).as("claims that are gone").isZero();
    }

    @Test
    @DisplayName("goes on past what it may not see")
    void goesOn() throws Exception {
        LockStore alice = opened(ZooKeeperStore.open(
                "zookeeper://alice:s3cret@" + server.getConnectString(), TIMEOUT, System::nanoTime));
        for (int i = 0; i < 10; i++) {
            granted(alice, claim("hers-" + i, QueuePolicy.BARGES, LONG));
        }
        ZooKeeperStore dead = direct();
        granted(dead, claim("dead", QueuePolicy.BARGES, Duration.ofMillis(1)));
        dead.close();
        Warden warden = new Warden(ledger());
        until("it is removed", () -> {
            get(warden.round());
            return plain.exists(new Tree("/holdfast").name(Resource.lock("dead")), false) == null;
        });
    }

    @Test
    @DisplayName("that is in the midst of a large latch refuses who has counted it before")
    void changesTheVersion() throws Exception {
        ZooKeeperStore store = direct();
        get(store.latches().set("latch", "id", 1));
        String path = nodes().get(0);
        for (int i = 0; i < 600; i++) {
            plain.create(path + "/" + i, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        int version = plain.exists(path, false).getVersion();
        OddClient odd = opened(new OddClient(server.getConnectString()));
        odd.refuses = ops -> childrenOf(path) < 600; // all but the first
        assertThatThrownBy(() -> get(new Warden(ledger(odd)).latch(path, Long.MAX_VALUE)))
                .hasRootCauseInstanceOf(KeeperException.ConnectionLossException.class);
        assertThat(childrenOf(path)).isBetween(1, 599);
        assertThat(plain.exists(path, false).getVersion()).as("unset, and less").isEqualTo(version + 2);
        odd.refuses = ops -> false;
        get(new Warden(ledger(odd)).latch(path, Long.MAX_VALUE));
        assertThat(nodes()).isEmpty();
    }

    private int childrenOf(String path) {
        try {
            return plain.exists(path, false).getNumChildren();
        } catch (KeeperException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
