package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockState;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What is logged and told of an outage: once, with the reason, however many locks it concerns. */
@Isolated // it reads what is logged
@SuppressWarnings("LockNotBeforeTry") // the tests are about locks that are lost
class LogTest {

    private static final long SECOND = 1_000_000_000L;

    /** Sees only what happens here: the engine's names begin with this. */
    private static final String NAME = "log-test:";

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private final ManualTime time = new ManualTime(0);
    private final FailingStore store = new FailingStore(time);
    private final Engine engine = time.engine(1, store);

    LogTest() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(before);
    }

    /** A store at which nothing listens while it is down. */
    private static final class FailingStore extends ForwardingStore {

        volatile boolean down;

        FailingStore(ManualTime time) {
            super(new MemoryStore(new MemoryLocks(time), "a failing store"));
        }

        private <T> CompletionStage<T> answer(CompletionStage<T> answer) {
            return down
                    ? CompletableFuture.failedFuture(new StoreUnavailableException(
                            "lock 'x': a failing store did not answer: Connection refused",
                            new ConnectException("Connection refused")))
                    : answer;
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return down ? answer(new CompletableFuture<>()) : super.claim(claim);
        }

        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> batch) {
            return down ? answer(new CompletableFuture<>()) : super.renew(batch);
        }

        @Override
        public CompletionStage<ReleaseResult> release(Claim claim) {
            return down ? answer(new CompletableFuture<>()) : super.release(claim);
        }
    }

    private List<String> lines(String text) {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }

    private DistributedLock lock(int i) {
        return locks(engine).lock(NAME + i, LockOptions.defaults());
    }

    @Test
    @DisplayName("an outage is a warning at the first failed renewal, with its reason, and a line when it is over")
    void outage() {
        for (int i = 0; i < 1_000; i++) {
            lock(i).lock();
        }
        store.down = true;
        time.advance(12 * SECOND);
        assertThat(lines("WARN")).singleElement().asString().contains("a failing store", "Connection refused");
        store.down = false;
        time.advance(5 * SECOND);
        assertThat(lines("WARN")).hasSize(1);
        assertThat(lines("INFO")).singleElement().asString().contains("a failing store answers again, after ");
        assertThat(lock(0).isHeldByCurrentThread()).isTrue();
    }

    @Test
    @DisplayName("locks that are lost together are a few lines, with their number and some examples")
    void losses() {
        for (int i = 0; i < 2_000; i++) {
            lock(i).lock();
        }
        store.down = true;
        time.advance(60 * SECOND);
        assertThat(lines("WARN")).hasSizeLessThan(40);
        assertThat(lines("lost")).first().asString().contains("lock '" + NAME, "was lost: it could not be renewed");
        assertThat(lines("more were lost, among them lock '")).isNotEmpty();
    }

    @Test
    @DisplayName("a loss has one wording, whether the timer or the owner's unlock() is first to notice")
    void oneWording() {
        lock(1).lock();
        lock(2).lock();
        store.down = true;
        time.jump(40 * SECOND);
        String byOwner = message(lock(1));
        time.advance(SECOND);
        String byTimer = message(lock(2));
        assertThat(byOwner).contains("it could not be renewed in time");
        assertThat(byTimer.replaceAll("[0-9]+", "")).isEqualTo(byOwner.replaceAll("[0-9]+", ""));
    }

    private static String message(DistributedLock lock) {
        Throwable[] thrown = new Throwable[1];
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class).satisfies(e -> thrown[0] = e);
        return String.valueOf(thrown[0].getMessage());
    }

    @Test
    @DisplayName("a client that is to verify its store fails with the reason, and leaves nothing open")
    void verify() {
        AtomicBoolean closed = new AtomicBoolean();
        Holdfast.Builder builder = Holdfast.builder().verify().store(new ForwardingStore(store) {
            @Override
            public CompletionStage<LockState> inspect(Resource resource) {
                return CompletableFuture.failedFuture(new StoreUnavailableException(
                        "a failing store did not answer: Connection refused", new ConnectException("refused")));
            }

            @Override
            public void close() {
                closed.set(true);
            }
        });
        assertThatThrownBy(builder::build)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Connection refused")
                .hasCauseInstanceOf(ConnectException.class);
        assertThat(closed).isTrue();
        Holdfast.builder().uri("memory:").verify().build().close();
    }

    @Test
    @DisplayName("an address that no store serves is told with the module that does, and with what there is")
    void address() {
        assertThatThrownBy(() -> Holdfast.connect("zookeeper://host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no store on the class path serves 'zookeeper:'; add the module"
                        + " io.holdfast:holdfast-zookeeper; available now: memory:");
        assertThatThrownBy(() -> Holdfast.connect("jdbc:postgresql://h/d")).hasMessageContaining("holdfast-jdbc;");
        assertThatThrownBy(() -> Holdfast.connect("consul://host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("they serve etcd:, etcds:, hazelcast:, jdbc:, memory:, redis:");
        assertThatThrownBy(() -> Holdfast.connect("memory: "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("white space");
    }

    @Test
    @DisplayName("a null says what must not be null")
    @SuppressWarnings("NullAway") // on purpose
    void nulls() {
        assertThatThrownBy(() -> Holdfast.connect(null)).hasMessageContaining("URI of a store must not be null");
        assertThatThrownBy(() -> locks(engine).lock(null, LockOptions.defaults()))
                .hasMessage("the name of a lock must not be null");
    }

    @Test
    @DisplayName("closing waits for nothing where a lock was never had and nothing listens")
    void closing() throws Exception {
        store.down = true;
        CompletableFuture<Void> asked = lock(1).lockAsync(1);
        time.advance(10 * SECOND);
        assertThat(asked).isCompletedExceptionally();
        assertThat(engine.close()).succeedsWithin(1, TimeUnit.SECONDS);
    }
}
