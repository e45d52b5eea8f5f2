package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fencing tokens: each grant has a greater one than all earlier grants of the name. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class TokenContract extends Contract {

    @Essential
    @Test
    @DisplayName("rises with every grant, whichever client gets it")
    void risesOverClients() throws Exception {
        String name = name();
        List<Holdfast> clients = List.of(client(), client(), client());
        long last = 0;
        for (int i = 0; i < 30; i++) {
            try (Lease lease = clients.get(i * 7 % 3).lock(name).acquire()) {
                assertThat(lease.token()).as("grant %d", i).isGreaterThan(last);
                last = lease.token();
            }
        }
    }

    @Essential
    @Test
    @DisplayName("rises when the lock is handed from thread to thread, over several clients")
    void risesOverHandOff() throws Exception {
        String name = name();
        List<Long> tokens = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 2; c++) {
            DistributedLock lock = client().lock(name);
            for (int t = 0; t < 4; t++) {
                all.add(actor("c" + c + "t" + t).starts(() -> {
                    for (int i = 0; i < 50; i++) {
                        lock.lock();
                        try {
                            tokens.add(lock.lease().token());
                        } finally {
                            lock.unlock();
                        }
                    }
                }));
            }
        }
        awaitAll(all);
        assertThat(tokens).hasSize(2 * 4 * 50).isSorted();
        assertThat(new HashSet<>(tokens)).as("no token twice").hasSameSizeAs(tokens);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Wait.class)
    @DisplayName("rises in whatever way the lock is taken")
    void risesInEveryWay(Wait way) throws Exception {
        String name = name();
        Holdfast client = client();
        DistributedLock other = client().lock(name);
        long before = takenOnce(other);
        List<Long> stored = new ArrayList<>();
        way.untilHeld(
                client.lock(name),
                SOON,
                LONG,
                () -> stored.add(client.inspect(name).holders().get(0).token()));
        assertThat(stored.get(0)).isGreaterThan(before);
        assertThat(takenOnce(other)).isGreaterThan(stored.get(0));
    }

    private static long takenOnce(DistributedLock lock) throws InterruptedException {
        try (Lease lease = lock.acquire()) {
            return lease.token();
        }
    }

    @Test
    @DisplayName("stays the same in a re-entry, and rises after it")
    void staysInReentry() {
        DistributedLock lock = client().lock(name());
        lock.lock();
        long token = lock.lease().token();
        lock.lock();
        assertThat(lock.lease().token()).isEqualTo(token);
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.lease().token()).isEqualTo(token);
        lock.unlock();
        lock.unlock();
        assertThat(lock.lease().token()).isEqualTo(token);
        lock.unlock();
        lock.lock();
        assertThat(lock.lease().token()).isGreaterThan(token);
        lock.unlock();
    }

    @Test
    @DisplayName("stays the same in a renewal")
    void staysInRenewal() throws Exception {
        DistributedLock lock = client(KEPT).lock(name());
        try (Lease lease = lock.acquire()) {
            long token = lease.token();
            Eventually.throughout("it stays", OUTLASTING, () -> lease.token() == token && lease.isValid());
        }
    }

    @Essential
    @Test
    @DisplayName("rises after a lease that ran out")
    void risesAfterExpiry() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        long last = 0;
        for (int i = 0; i < 5; i++) {
            Lease lease = (i % 2 == 0 ? lock : other).acquire(passingLease());
            assertThat(lease.token()).isGreaterThan(last);
            last = lease.token();
            until("it ran out", SOON, () -> !lock.isLocked());
        }
    }

    @Essential
    @Test
    @DisplayName("rises after the lock was forced")
    void risesAfterForce() throws Exception {
        String name = name();
        Holdfast client = client();
        Holdfast other = client();
        Lease lease = client.lock(name).acquire();
        assertThat(other.forceUnlock(name)).isTrue();
        try (Lease next = other.lock(name).acquire()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    @DisplayName("rises after its client was closed")
    void risesAfterClose() throws Exception {
        String name = name();
        long last = 0;
        for (int i = 0; i < 3; i++) {
            try (Holdfast client = client()) {
                Lease lease = client.lock(name).acquire();
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
        }
    }
}
