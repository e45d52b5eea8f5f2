package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.tck.HintListener;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A holder that yields")
class RevocationTest extends StoreTest {

    private final BlockingQueue<String> called = new LinkedBlockingQueue<>();

    /** A store that hears calls. */
    private JdbcStore hearing(TestDatabase database) throws InterruptedException {
        JdbcStore store = open(database);
        store.subscribe(client, new HintListener(called::add, () -> called.add("")));
        assertThat(called.poll(20, TimeUnit.SECONDS)).as("in place").isEmpty();
        return store;
    }

    /** At least once: one that takes a place may call twice. */
    private void isCalled(Claim holder) throws InterruptedException {
        assertThat(called.poll(20, TimeUnit.SECONDS)).isEqualTo(holder.id());
    }

    private void isNotCalled(Claim holder) throws InterruptedException {
        String id;
        while ((id = called.poll(1, TimeUnit.SECONDS)) != null) {
            assertThat(id).isNotEqualTo(holder.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("is called by whoever does not get the lock because of it, each time, and by nobody once it is gone")
    void isCalled(TestDatabase database) throws Exception {
        JdbcStore store = hearing(database);
        JdbcStore other = open(database);
        Claim holder = newClaim(newName()).asRevocable();
        token(store.claim(holder));
        for (JdbcStore asking : List.of(other, store)) {
            for (Mode mode : List.of(Mode.EXCLUSIVE, Mode.SHARED)) {
                for (QueuePolicy policy : QueuePolicy.values()) {
                    Claim claim = newClaim(holder.name(), mode, policy);
                    assertThat(isGranted(asking.claim(claim))).isFalse();
                    isCalled(holder);
                    get(asking.release(claim));
                }
            }
        }
        get(store.release(holder));
        Claim next = newClaim(holder.name());
        token(other.claim(next));
        assertThat(isGranted(other.claim(newClaim(holder.name())))).isFalse();
        isNotCalled(next);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("is called though it shares the lock, and alone")
    void isCalledThoughItShares(TestDatabase database) throws Exception {
        JdbcStore store = hearing(database);
        JdbcStore other = open(database);
        Claim reader = newClaim(newName(), Mode.SHARED, QueuePolicy.BARGES).asRevocable();
        token(store.claim(reader));
        Claim another = newClaim(reader.name(), Mode.SHARED, QueuePolicy.BARGES);
        token(store.claim(another));
        assertThat(isGranted(other.claim(newClaim(reader.name())))).isFalse();
        isCalled(reader);
        isNotCalled(another);
    }
}
