package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Turn;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A refusal")
class RefusalTest extends StoreTest {

    private LockStore as(String userinfo) {
        String uri = "zookeeper://" + userinfo + server.getConnectString();
        return opened(ZooKeeperStore.open(uri, TIMEOUT, System::nanoTime));
    }

    @Test
    @DisplayName("is what others get where the nodes are a user's own, and it says what to do and no password")
    void ofOthers() throws Exception {
        LockStore own = as("alice:s3cret@");
        Claim held = claim("lock", Turn.BARGES, LONG);
        granted(own, held);
        for (LockStore other : new LockStore[] {as(""), as("bob:pa55word@"), as("alice:pa55word@")}) {
            assertThatThrownBy(() -> get(other.claim(claim("lock", Turn.BARGES, LONG))))
                    .cause()
                    .isInstanceOfSatisfying(StoreRefusedException.class, e -> {
                        assertThat(e.retryable()).isFalse();
                        assertThat(e).hasMessageContaining("\"lock\"").hasMessageContaining("password in the URI");
                        assertThat(e.getMessage() + other.description()).doesNotContain("s3cret", "pa55word");
                    });
        }
        LockStore again = as("alice:s3cret@");
        assertThat(get(again.release(held)).held()).isTrue();
    }

    @Test
    @DisplayName("of one renewal leaves the others of its batch alone, and is told if it is alone")
    void ofOneOfMany() throws Exception {
        LockStore store = direct();
        Claim one = claim("one", Turn.BARGES, LONG);
        Claim refused = claim("refused", Turn.BARGES, LONG);
        Claim gone = claim("gone", Turn.BARGES, LONG);
        granted(store, one);
        granted(store, refused);
        for (String node : nodes()) {
            if (node.contains("/refused/")) {
                plain.setACL(node, ZooDefs.Ids.READ_ACL_UNSAFE, -1);
            }
        }
        assertThat(get(store.renew(List.of(one, refused, gone))))
                .isEqualTo(Map.of(one.id(), Standing.HELD, refused.id(), Standing.UNKNOWN));
        assertThatThrownBy(() -> get(store.renew(List.of(refused)))).hasCauseInstanceOf(StoreRefusedException.class);
    }

    @Test
    @DisplayName("may pass by itself or not, as its code says; where the connection is the trouble it is none")
    void codes() {
        Errors errors = new Errors("ZooKeeper");
        for (Code code : Code.values()) {
            Throwable answer;
            try {
                answer = KeeperException.create(code);
            } catch (IllegalArgumentException e) {
                continue; // it is no exception's
            }
            Throwable thrown = errors.translate("Lock \"a\"", answer);
            assertThat(thrown).as(code.name()).isInstanceOf(HoldfastException.class);
            switch (code) {
                case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                    assertThat(thrown).as(code.name()).isInstanceOf(StoreUnavailableException.class);
                default -> assertThat(thrown).as(code.name()).isInstanceOf(StoreRefusedException.class);
            }
            boolean passes = thrown instanceof StoreUnavailableException
                    || code == Code.NOTREADONLY
                    || code == Code.QUOTAEXCEEDED
                    || code == Code.THROTTLEDOP;
            assertThat(((HoldfastException) thrown).retryable()).as(code.name()).isEqualTo(passes);
        }
    }
}
