package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a {@link LockListener} is told. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class ListenerContract extends Contract {

    @Test
    @DisplayName("and listens hears of waiting, grant, renewal, release and loss, in that order")
    void hears() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        String name = name();
        DistributedLock lock = client(builder -> builder.lease(KEPT).listener(new Recorder(heard)))
                .lock(name);
        DistributedLock other = client().lock(name);
        other.lock();
        Actor bob = actor("bob");
        Future<Long> got = bob.begins(() -> {
            lock.lock();
            return lock.lease().token();
        });
        eventually(SOON, () -> assertThat(heard).containsExactly("waiting"));
        other.unlock();
        long token = await(got);
        eventually(SOON, () -> assertThat(heard).contains("renewed " + token));
        bob.does(lock::unlock);
        eventually(SOON, () -> assertThat(heard).contains("released " + token));
        assertThat(heard.stream().distinct())
                .containsExactly("waiting", "granted " + token, "renewed " + token, "released " + token);
        heard.clear();
        Lease lease = lock.acquire(passingLease());
        eventually(SOON, () -> assertThat(heard).containsExactly("granted " + lease.token(), "lost " + lease.token()));
    }

    /** What a listener was told, in few words. */
    private record Recorder(List<String> heard) implements LockListener {

        @Override
        public void waiting(String name) {
            heard.add("waiting");
        }

        @Override
        public void granted(String name, long token, Duration waited) {
            heard.add("granted " + token);
        }

        @Override
        public void renewed(String name, long token) {
            heard.add("renewed " + token);
        }

        @Override
        public void lost(String name, long token, String reason) {
            heard.add("lost " + token);
        }

        @Override
        public void released(String name, long token, Duration held) {
            heard.add("released " + token);
        }
    }
}
