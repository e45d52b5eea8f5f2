package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockEvent;
import io.holdfast.LockEvent.Granted;
import io.holdfast.LockEvent.NotGranted;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.LossReason;
import io.holdfast.StoreCommandEvent;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreCommandEvent.Outcome;
import io.holdfast.spi.Mode;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a {@link LockListener} is told: one test for each event, and for what is none. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class ListenerContract extends Contract {

    private final Recorder heard = new Recorder();
    private String name = "";

    @BeforeEach
    void chooseName() {
        name = name();
    }

    /** A client that is listened to. */
    private Holdfast heardClient() {
        return client(builder -> builder.lease(LONG).listener(heard));
    }

    @Test
    @DisplayName("and listens hears of waiting, grant, renewal, release and loss, in that order")
    void hears() throws Exception {
        DistributedLock lock =
                client(builder -> builder.lease(KEPT).listener(heard)).lock(name);
        DistributedLock other = client().lock(name);
        other.lock();
        Actor bob = actor("bob");
        Future<Long> got = bob.begins(() -> {
            lock.lock();
            return lock.lease().token();
        });
        heard.hears("waiting");
        other.unlock();
        long token = await(got);
        heard.hears("waiting", "granted " + token, "renewed " + token);
        bob.does(lock::unlock);
        heard.hears("waiting", "granted " + token, "renewed " + token, "released " + token);
        heard.forget();
        Lease lease = lock.acquire(passingLease());
        heard.hears("granted " + lease.token(), "lost " + lease.token());
        assertThat(heard.only(LockEvent.Lost.class)).satisfies(lost -> {
            assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED);
            assertThat(lost.released()).isFalse();
        });
    }

    @Test
    @DisplayName("hears from where a grant came: from the store, by hand-off, or of a lock that lingered")
    void paths() throws Exception {
        Holdfast holdfast = heardClient();
        DistributedLock lock = holdfast.lock(name);
        lock.lock();
        CompletableFuture<Lease> next = lock.acquireAsync();
        heard.hears("granted " + lock.lease().token(), "waiting");
        pass(Duration.ofMillis(1)); // no brief hold: these are handed on in another way
        lock.unlock();
        await(next).close();
        heard.hearsLast("released " + await(next).token());
        assertThat(heard.all(Granted.class)).extracting(Granted::path).contains(Granted.Path.STORE);
        heard.forget();
        DistributedLock lingering =
                holdfast.lock(name("lingering"), LockOptions.defaults().linger(LONG));
        lingering.lock();
        long first = lingering.lease().token();
        lingering.unlock();
        lingering.lock();
        long second = lingering.lease().token();
        lingering.unlock();
        heard.hears("granted " + first, "released " + first, "granted " + second, "released " + second);
        assertThat(heard.all(Granted.class))
                .extracting(Granted::path)
                .containsExactly(Granted.Path.STORE, Granted.Path.LINGER);
    }

    @Test
    @DisplayName("hears that a request is over without a grant, and why")
    void notGranted() throws Exception {
        DistributedLock lock = heardClient().lock(name);
        client().lock(name).acquire();
        assertThat(lock.tryLock()).isFalse();
        heard.hears("TIMED_OUT");
        heard.forget();
        assertThat(lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
        heard.hears("waiting", "TIMED_OUT");
        assertThat(heard.only(NotGranted.class).after()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        heard.forget();
        Actor bob = actor("bob");
        Future<?> interrupted = bob.starts(lock::lockInterruptibly);
        heard.hears("waiting");
        bob.interrupt();
        assertThatThrownBy(() -> await(interrupted)).isInstanceOf(InterruptedException.class);
        heard.hears("waiting", "INTERRUPTED");
        heard.forget();
        CompletableFuture<Lease> cancelled = lock.acquireAsync();
        heard.hears("waiting");
        cancelled.cancel(false);
        heard.hears("waiting", "CANCELLED");
        heard.forget();
    }

    @Test
    @DisplayName("hears that the client was closed: of requests that fail, and of holds that are lost by it")
    void closed() throws Exception {
        Holdfast holdfast = heardClient();
        Lease held = holdfast.lock(name).acquire();
        CompletableFuture<Lease> waiting = holdfast.lock(name).acquireAsync();
        heard.hears("granted " + held.token(), "waiting");
        holdfast.close();
        eventually(
                SOON,
                () -> assertThat(heard.words())
                        .containsExactlyInAnyOrder(
                                "granted " + held.token(), "waiting", "FAILED", "lost " + held.token()));
        assertThat(waiting).isCompletedExceptionally();
        assertThat(heard.only(NotGranted.class).failure()).isNotNull();
        assertThat(heard.only(LockEvent.Lost.class).reason()).isEqualTo(LossReason.CLOSED);
    }

    @Test
    @DisplayName("hears that this client forced a lock, and that another one did")
    void forced() throws Exception {
        Holdfast holdfast = heardClient();
        Lease held = holdfast.lock(name).acquire();
        assertThat(holdfast.forceUnlock(name)).isTrue();
        heard.hears("granted " + held.token(), "lost " + held.token());
        assertThat(heard.only(LockEvent.Lost.class).reason()).isEqualTo(LossReason.FORCED);
        heard.forget();
        Lease again = holdfast.lock(name).acquire();
        assertThat(client().forceUnlock(name)).isTrue();
        assertThatThrownBy(again::close).isInstanceOf(LeaseLostException.class);
        heard.hears("granted " + again.token(), "released " + again.token(), "lost " + again.token());
        assertThat(heard.only(LockEvent.Lost.class)).satisfies(lost -> {
            assertThat(lost.reason()).isEqualTo(LossReason.GONE);
            assertThat(lost.released()).isTrue();
        });
    }

    @Test
    @DisplayName("hears nothing of a re-entry")
    void reentry() throws Exception {
        DistributedLock lock = heardClient().lock(name);
        lock.lock();
        long token = lock.lease().token();
        lock.lock();
        await(lock.lockAsync());
        lock.unlock();
        lock.unlock();
        lock.unlock();
        heard.hears("granted " + token, "released " + token);
    }

    @Test
    @DisplayName("hears of read locks, of permits, and of each lock of a multi-lock")
    void kinds() throws Exception {
        Holdfast holdfast = heardClient();
        holdfast.readWriteLock(name).readLock().acquire().close();
        eventually(SOON, () -> assertThat(heard.all(LockEvent.Released.class)).hasSize(1));
        assertThat(heard.only(Granted.class).mode()).isEqualTo(Mode.SHARED);
        heard.forget();
        Holdfast.multiLock(holdfast.lock(name("1")), holdfast.lock(name("2")))
                .acquire()
                .close();
        eventually(SOON, () -> assertThat(heard.all(LockEvent.Released.class)).hasSize(2));
        assertThat(heard.all(Granted.class)).extracting(Granted::name).containsExactlyInAnyOrder(name("1"), name("2"));
        heard.forget();
        needs(SemaphoreStore.class);
        holdfast.semaphore(name, 3).acquireLease(2).close();
        eventually(SOON, () -> assertThat(heard.all(LockEvent.Released.class)).hasSize(1));
        assertThat(heard.only(Granted.class)).satisfies(granted -> {
            assertThat(granted.mode()).isEqualTo(Mode.PERMITS);
            assertThat(granted.permits()).isEqualTo(2);
        });
    }

    @Test
    @DisplayName("is asked in the thread that asks, and gets back what it said then")
    void context() throws Exception {
        DistributedLock lock = heardClient().lock(name);
        Actor bob = actor("bob");
        bob.does(() -> {
            lock.lock();
            lock.unlock();
        });
        eventually(SOON, () -> assertThat(heard.all(LockEvent.Released.class)).hasSize(1));
        assertThat(heard.only(Granted.class).context()).isEqualTo("tck-bob");
        CompletableFuture<Lease> other = client().lock(name).acquireAsync();
        await(other);
        bob.does(() -> assertThat(lock.tryLock()).isFalse());
        eventually(SOON, () -> assertThat(heard.all(NotGranted.class)).hasSize(1));
        assertThat(heard.only(NotGranted.class).context()).isEqualTo("tck-bob");
    }

    @Test
    @DisplayName("hears of the store's commands: which, about what, how long and how they ended")
    void commands() throws Exception {
        Holdfast holdfast = heardClient();
        DistributedLock lock = holdfast.lock(name);
        lock.lock();
        lock.unlock();
        holdfast.inspect(name);
        eventually(
                SOON,
                () -> assertThat(heard.commands)
                        .extracting(StoreCommandEvent::command)
                        .startsWith(Command.CLAIM)
                        .contains(Command.RELEASE, Command.INSPECT));
        assertThat(heard.commands).allSatisfy(event -> {
            assertThat(event.name()).isEqualTo(name);
            assertThat(event.outcome()).isEqualTo(Outcome.ANSWERED);
            assertThat(event.took()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    /** What a listener was told, in few words and whole. */
    private static final class Recorder implements LockListener {

        private final List<LockEvent> events = new CopyOnWriteArrayList<>();
        private final List<StoreCommandEvent> commands = new CopyOnWriteArrayList<>();

        /** Waits until it has heard exactly that, whatever is repeated. */
        void hears(String... expected) throws Exception {
            eventually(SOON, () -> assertThat(words()).containsExactly(expected));
        }

        void hearsLast(String expected) throws Exception {
            eventually(SOON, () -> assertThat(words()).endsWith(expected));
        }

        List<String> words() {
            return events.stream().map(Recorder::word).distinct().toList();
        }

        private static String word(LockEvent event) {
            if (event instanceof LockEvent.Waiting) {
                return "waiting";
            } else if (event instanceof Granted granted) {
                return "granted " + granted.token();
            } else if (event instanceof NotGranted not) {
                return not.cause().name();
            } else if (event instanceof LockEvent.Renewed renewed) {
                return "renewed " + renewed.token();
            } else if (event instanceof LockEvent.RenewalFailed failed) {
                return "renewal failed " + failed.token();
            } else if (event instanceof LockEvent.Lost lost) {
                return "lost " + lost.token();
            } else if (event instanceof LockEvent.Released released) {
                return "released " + released.token();
            }
            throw new AssertionError("told of " + event);
        }

        <T extends LockEvent> List<T> all(Class<T> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }

        <T extends LockEvent> T only(Class<T> type) {
            List<T> all = all(type);
            assertThat(all).hasSize(1);
            return all.get(0);
        }

        void forget() {
            events.clear();
        }

        @Override
        public Object requested(LockEvent.Requested event) {
            return Thread.currentThread().getName();
        }

        @Override
        public void waiting(LockEvent.Waiting event) {
            events.add(event);
        }

        @Override
        public void granted(Granted event) {
            events.add(event);
        }

        @Override
        public void notGranted(NotGranted event) {
            events.add(event);
        }

        @Override
        public void renewed(LockEvent.Renewed event) {
            events.add(event);
        }

        @Override
        public void renewalFailed(LockEvent.RenewalFailed event) {
            events.add(event);
        }

        @Override
        public void lost(LockEvent.Lost event) {
            events.add(event);
        }

        @Override
        public void released(LockEvent.Released event) {
            events.add(event);
        }

        @Override
        public void commandEnded(StoreCommandEvent event) {
            commands.add(event);
        }
    }
}
