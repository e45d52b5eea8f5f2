package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.tck.HintListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A claim that holds and would yield")
class NotificationTest extends StoreTest {

    private final Set<String> called = ConcurrentHashMap.newKeySet();

    /** The client's ears, once they hear. */
    private void listen(ZooKeeperStore store, Claim claim) throws Exception {
        store.subscribe(claim.client(), new HintListener(called::add, () -> called.add("")));
        until("it listens", () -> called.remove(""));
    }

    @Test
    @DisplayName("is called from another process by who barges, by who queues, and by who only looks")
    void isCalled() throws Exception {
        ZooKeeperStore holder = direct();
        ZooKeeperStore other = direct();
        for (QueuePolicy policy : QueuePolicy.values()) {
            Claim held = claim("lock-" + policy, QueuePolicy.BARGES, LONG).asRevocable();
            listen(holder, held);
            granted(holder, held);
            Claim asking = claim("lock-" + policy, policy, LONG);
            waits(other, asking);
            until("it is called", () -> called.remove(held.id()));
            get(holder.release(held));
            granted(other, asking);
        }
    }

    @Test
    @DisplayName("is called again by who has a place and renews it, in case that it did not hear")
    void isCalledAgain() throws Exception {
        ZooKeeperStore holder = direct();
        ZooKeeperStore other = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG).asRevocable();
        granted(holder, held);
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        waits(other, waiting); // before anybody listens
        listen(holder, held);
        until("it is called", () -> {
            get(other.renew(List.of(waiting)));
            return called.contains(held.id());
        });
    }

    @Test
    @DisplayName("is called however many are at once, and nothing is left of the calls")
    void areAllCalled() throws Exception {
        ZooKeeperStore holder = direct();
        ZooKeeperStore other = direct();
        List<Claim> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(claim("lock-" + i, QueuePolicy.BARGES, LONG).asRevocable());
        }
        listen(holder, all.get(0));
        List<CompletionStage<?>> answers = new ArrayList<>();
        all.forEach(claim -> answers.add(holder.claim(claim)));
        for (CompletionStage<?> answer : answers) {
            get(answer);
        }
        answers.clear();
        all.forEach(claim -> answers.add(other.claim(claim(claim.name(), QueuePolicy.BARGES, LONG))));
        for (CompletionStage<?> answer : answers) {
            get(answer);
        }
        Set<String> ids = all.stream().map(Claim::id).collect(Collectors.toSet());
        until("all are called", () -> called.equals(ids));
        assertThat(plain.getChildren("/holdfast/calls", false)).isEmpty();
    }

    @Test
    @DisplayName("is called after its session has ended and another has begun")
    void isCalledInANewSession() throws Exception {
        ZooKeeperStore holder = wired();
        ZooKeeperStore other = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG).asRevocable();
        listen(holder, held);
        answered(() -> granted(holder, held));
        wire.down();
        Thread.sleep(1_500); // time is what ends it
        wire.up();
        until("it is called", () -> {
            waits(other, claim("lock", QueuePolicy.BARGES, LONG));
            return called.contains(held.id());
        });
    }

    @Test
    @DisplayName("is the only one: who does not yield is not called")
    void othersAreNot() throws Exception {
        ZooKeeperStore holder = direct();
        ZooKeeperStore other = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        Claim revocable = claim("other", QueuePolicy.BARGES, LONG).asRevocable();
        listen(holder, held);
        granted(holder, held);
        granted(holder, revocable);
        waits(other, claim("lock", QueuePolicy.BARGES, LONG));
        waits(other, claim("other", QueuePolicy.BARGES, LONG));
        until("the one is called", () -> called.contains(revocable.id())); // after the other would have been
        assertThat(called).containsExactly(revocable.id());
    }
}
