package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A refusal")
class RefusalTest extends StoreTest {

    private ZooKeeperStore as(String userinfo) {
        String uri = "zookeeper://" + userinfo + server.getConnectString();
        return opened(ZooKeeperStore.open(uri, TIMEOUT, System::nanoTime));
    }

    @Test
    @DisplayName("is what others get where the nodes are a user's own, and it says what to do and no password")
    void ofOthers() throws Exception {
        ZooKeeperStore own = as("alice:s3cret@");
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(own, held);
        for (ZooKeeperStore other : new ZooKeeperStore[] {as(""), as("bob:pa55word@"), as("alice:pa55word@")}) {
            assertThatThrownBy(() -> get(other.claim(claim("lock", QueuePolicy.BARGES, LONG))))
                    .cause()
                    .isInstanceOfSatisfying(StoreRefusedException.class, e -> {
                        assertThat(e.retryable()).isFalse();
                        assertThat(e).hasMessageContaining("lock 'lock'").hasMessageContaining("password in the URI");
                        assertThat(e.getMessage() + other.description()).doesNotContain("s3cret", "pa55word");
                    });
        }
        ZooKeeperStore again = as("alice:s3cret@");
        assertThat(get(again.release(held)).held()).isTrue();
    }

    @Test
    @DisplayName(
            "is for the names that are a user's, and not for others that happen to be in the same part of the tree")
    void isNotForContainers() throws Exception {
        ZooKeeperStore mistyped = as("alise:s3cret@");
        Claim first = claim("a-0", QueuePolicy.BARGES, LONG);
        granted(mistyped, first); // which makes the root and all above the name
        get(mistyped.latches().set("latch", "id", 1));
        Tree tree = new Tree("/holdfast");
        String bucket = Session.parent(tree.name(Resource.lock("a-0")));
        String compatibleWith = IntStream.iterate(1, i -> i + 1)
                .mapToObj(i -> "a-" + i)
                .filter(name -> Session.parent(tree.name(Resource.lock(name))).equals(bucket))
                .findFirst()
                .orElseThrow();
        ZooKeeperStore anybody = as("");
        granted(anybody, claim(compatibleWith, QueuePolicy.BARGES, LONG));
        granted(as("alice:s3cret@"), claim("a-own", QueuePolicy.BARGES, LONG));
        get(anybody.latches().set("another", "id", 1));
        assertThat(get(anybody.list(ResourceType.LOCK, "a-", 10)))
                .as("what it may see")
                .extracting(LockState::name)
                .containsExactly(compatibleWith);
        assertThat(plain.getACL("/holdfast/lock/" + bucket.substring(bucket.length() - 2), new Stat()))
                .isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
    }

    @Test
    @DisplayName("is what those get who may not use the root, as it was made, and nobody else")
    void isAsTheRootSays() throws Exception {
        plain.addAuthInfo("digest", "root:pa55".getBytes(StandardCharsets.UTF_8));
        List<ACL> both = new ArrayList<>(ZooDefs.Ids.CREATOR_ALL_ACL);
        both.add(new ACL(ZooDefs.Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest("bob:b0b"))));
        plain.create("/holdfast", new byte[0], both, CreateMode.PERSISTENT);
        ZooKeeperStore bob = as("bob:b0b@");
        granted(bob, claim("lock", QueuePolicy.BARGES, LONG));
        granted(as("root:pa55@"), claim("other", QueuePolicy.BARGES, LONG));
        assertThat(plain.getACL("/holdfast/lock", new Stat()))
                .isEqualTo(plain.getACL("/holdfast", new Stat()))
                .hasSize(2);
        ZooKeeperStore anybody = as("");
        assertThatThrownBy(() -> get(anybody.claim(claim("third", QueuePolicy.BARGES, LONG))))
                .hasCauseInstanceOf(StoreRefusedException.class);
    }

    @Test
    @DisplayName("of a list goes on past a part of the tree that an earlier version made for one user")
    void ofAList() throws Exception {
        ZooKeeperStore anybody = as("");
        granted(anybody, claim("seen", QueuePolicy.BARGES, LONG));
        Tree tree = new Tree("/holdfast");
        String shut = tree.buckets(ResourceType.LOCK).stream()
                .filter(bucket -> !tree.name(Resource.lock("seen")).startsWith(bucket))
                .findFirst()
                .orElseThrow();
        plain.addAuthInfo("digest", "alice:s3cret".getBytes(StandardCharsets.UTF_8));
        plain.create(shut, new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
        assertThat(get(anybody.list(ResourceType.LOCK, "", 10)))
                .extracting(LockState::name)
                .containsExactly("seen");
    }

    @Test
    @DisplayName("of one renewal leaves the others of its batch alone, and is told if it is alone")
    void ofOneOfMany() throws Exception {
        ZooKeeperStore store = direct();
        Claim one = claim("one", QueuePolicy.BARGES, LONG);
        Claim refused = claim("refused", QueuePolicy.BARGES, LONG);
        Claim gone = claim("gone", QueuePolicy.BARGES, LONG);
        granted(store, one);
        granted(store, refused);
        for (String node : nodes()) {
            if (node.contains("/refused/")) {
                plain.setACL(node, ZooDefs.Ids.READ_ACL_UNSAFE, -1);
            }
        }
        assertThat(get(store.renew(List.of(one, refused, gone))))
                .isEqualTo(Map.of(one.id(), ClaimStatus.HELD, refused.id(), ClaimStatus.UNKNOWN));
        assertThatThrownBy(() -> get(store.renew(List.of(refused)))).hasCauseInstanceOf(StoreRefusedException.class);
    }

    @Test
    @DisplayName("may pass by itself or not, as its code says; where the connection is the trouble it is none")
    void codes() {
        Errors errors = new Errors("ZooKeeper", null);
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
