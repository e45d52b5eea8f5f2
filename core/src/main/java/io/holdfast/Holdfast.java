package io.holdfast;

import io.holdfast.internal.Limits;
import io.holdfast.internal.engine.Client;
import io.holdfast.internal.lock.LockFactory;
import io.holdfast.internal.store.Stores;
import io.holdfast.internal.time.Ticker;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * A client of one store: one connection, one renewer, many locks. Thread-safe; make one for each process and store, and
 * close it when the process ends.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.connect("redis://127.0.0.1:6379")) {
 *     DistributedLock lock = holdfast.lock("orders:42");
 *     lock.lock();
 *     try {
 *         // one process at a time
 *     } finally {
 *         lock.unlock();
 *     }
 * }
 * }</pre>
 *
 * <p>A name is any non-empty string of up to 1,024 bytes of UTF-8 without NUL and unpaired surrogates; anything else is
 * an {@link IllegalArgumentException} before any I/O.
 */
public final class Holdfast implements AutoCloseable {

    private final Client client;
    private final LockFactory locks;

    private Holdfast(Client client) {
        this.client = client;
        this.locks = new LockFactory(client.engine());
    }

    /**
     * A client with default settings.
     *
     * @param uri {@code redis://[user:password@]host:port/database}, {@code rediss://…}, {@code redis-sentinel://…}, {@code
     *     redis-cluster://…}, {@code redis-replica://…}, {@code redis-quorum://…} (see {@code docs/redis.md}), {@code memory:} (a store of its
     *     own in this JVM), {@code memory:name} (one that is shared by the clients of this JVM), or what other stores on
     *     the class path serve
     */
    public static Holdfast connect(String uri) {
        return builder().uri(uri).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The lock of that name. Costs nothing: no round trip, and nothing is kept. */
    public DistributedLock lock(String name) {
        return locks.lock(name, LockOptions.defaults());
    }

    /** The lock of that name, taken with these options. */
    public DistributedLock lock(String name, LockOptions options) {
        return locks.lock(name, options);
    }

    /** The lock of that name, taken in the order in which it is asked for: {@link LockOptions#fair()}. */
    public DistributedLock fairLock(String name) {
        return locks.lock(name, LockOptions.defaults().fair());
    }

    /** The read/write lock of that name; the plain lock of the name is its write lock. */
    public DistributedReadWriteLock readWriteLock(String name) {
        return locks.readWriteLock(name, LockOptions.defaults());
    }

    /** The read/write lock of that name, taken with these options. */
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        return locks.readWriteLock(name, options);
    }

    /**
     * Several locks as one: all of them or none. They may be plain, fair, read, write and multi-locks, of several clients
     * and stores; they are taken in the order of their names, so that two multi-locks can't wait for each other. It is
     * lost when one of them is; its lease's token is that of the first of them by name. Where they have to be waited for,
     * a lease time under 100 ms counts as that.
     *
     * <p>Of several callers that ask for the same free locks at the same time and don't wait, one gets them. So that none is
     * refused because of a rival that is refused as well, {@code tryLock()} and waits of up to 250 ms ask for one lock after the
     * other, a round trip for each. A longer wait first asks for all at once.
     *
     * <p>Each name of a store may be in it once: a lock that is there twice, or with its read and its write lock, would wait
     * for itself, and is refused. Two clients of one store are not told apart from two stores, so with those it does wait.
     */
    public static DistributedLock multiLock(DistributedLock... locks) {
        return LockFactory.multiLock(List.of(locks));
    }

    /**
     * The semaphore of that name.
     *
     * @param permits how many permits it has, at least 1, if the store does not know of it yet
     */
    public DistributedSemaphore semaphore(String name, int permits) {
        return locks.semaphore(name, permits, LockOptions.defaults());
    }

    /** The semaphore of that name, used with these options. */
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        return locks.semaphore(name, permits, options);
    }

    /** The latch of that name. */
    public DistributedLatch latch(String name) {
        return locks.latch(name);
    }

    /** The election of that name: one leader among many candidates, over the fair lock of the name. */
    public Election election(String name) {
        return locks.election(name, LockOptions.defaults());
    }

    /** The election of that name, whose leaders have the lease of these options. It is fair and does not linger, whatever they say. */
    public Election election(String name, LockOptions options) {
        return locks.election(name, options);
    }

    /**
     * What this client holds and waits for now. It asks no store, and locks nothing: it may be called often, and while other threads lock.
     */
    public ClientSnapshot snapshot() {
        return client.engine().snapshot();
    }

    /** Who holds the lock, and who waits: where the store knows, and in this client. */
    public LockState inspect(String name) {
        return client.inspect(name);
    }

    /** The locks that are held and whose names begin with the prefix, sorted by name; 10,000 at most. */
    public List<LockState> list(String prefix) {
        return client.list(prefix);
    }

    /** {@link #inspect} without waiting. */
    public CompletableFuture<LockState> inspectAsync(String name) {
        return client.inspectAsync(name);
    }

    /** {@link #list} without waiting. */
    public CompletableFuture<List<LockState>> listAsync(String prefix) {
        return client.listAsync(prefix);
    }

    /** {@link DistributedLock#forceUnlock()} of the plain lock of that name: takes it from a writer and from readers. */
    public boolean forceUnlock(String name) {
        return client.forceUnlock(name, OptionalLong.empty());
    }

    /**
     * Ends the hold whose grant began with that fencing token, as {@link #inspect} shows it, and no other: a holder that came later is
     * never hit. Comparing and ending are one step at the store. The holder is told of its loss when it next renews, at once if
     * it is one of this client.
     *
     * @return false if that hold is over already
     */
    public boolean forceUnlock(String name, long token) {
        return client.forceUnlock(name, OptionalLong.of(token));
    }

    /**
     * Has every later grant on this store begin above this token, whatever its name. For a fleet that moves to another store: a
     * guarded resource refuses tokens that are smaller than those it has seen, and the new store counts from somewhere else. Run it
     * on the new store before the first lock is taken there; see {@code docs/changing-stores.md}. A lock that is held keeps its token. Tokens are
     * never lowered: a second call, or a smaller number, changes nothing.
     *
     * @param above the greatest token that a guarded resource may have seen, from 1 to 2<sup>52</sup>
     * @throws StoreRefusedException if the store can't do it, or not yet: the tokens of Redis follow its clock
     */
    public void raiseTokens(long above) {
        client.raiseTokens(above);
    }

    /** What the locks of this client survive. */
    public Guarantee guarantee() {
        return client.guarantee();
    }

    /** The uuid that the claims of this client begin with. */
    public String id() {
        return client.id();
    }

    /**
     * Gives back what this client holds (its holders are told that they lost it), fails what waits with
     * {@link ClientClosedException}, and stops its threads. Waits for the store for the client's time-out at most; what
     * could not be given back ends by its lease. A second close does nothing.
     */
    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "Holdfast[" + client + "]";
    }

    /** Settings of a client. */
    public static final class Builder {

        private @Nullable String uri;
        private @Nullable LockStore store;
        private Duration lease = Duration.ofSeconds(30);
        private Duration timeout = Duration.ofSeconds(5);
        private @Nullable String clientName;
        private @Nullable Executor executor;
        private final List<LockListener> listeners = new ArrayList<>();
        private boolean verified;
        private Ticker ticker = System::nanoTime;
        private @Nullable ScheduledThreadPoolExecutor timer;

        private Builder() {}

        /** Where the store is; see {@link Holdfast#connect}. */
        public Builder uri(String uri) {
            this.uri = Objects.requireNonNull(
                    uri, "the URI of a store must not be null; it is one like redis://host:6379");
            return this;
        }

        /** A store that was made elsewhere, instead of a URI. The client closes it. */
        public Builder store(LockStore store) {
            this.store = Objects.requireNonNull(store, "the store must not be null");
            return this;
        }

        /** The watchdog's lease: how long a lock outlives a process that dies. 30 s by default, 100 ms at least. */
        public Builder lease(Duration lease) {
            this.lease = Limits.watchdogLease(lease);
            return this;
        }

        /** How long a call goes on trying a store that does not answer before it fails. 5 s by default. */
        public Builder timeout(Duration timeout) {
            this.timeout = Limits.timeout(timeout);
            return this;
        }

        /**
         * What the client calls itself to the store and to those who inspect its locks: 1 to 128 visible ASCII characters
         * without spaces. Its uuid by default.
         */
        public Builder clientName(String clientName) {
            this.clientName = Limits.clientName(clientName);
            return this;
        }

        /**
         * Where callbacks and the continuations of futures run. By default threads of the client's own, made when needed;
         * an executor that is given is not closed with the client, and must not run tasks in the thread that brings them.
         */
        public Builder executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor);
            return this;
        }

        /** Told of the life of every lock of this client; may be called more than once. */
        public Builder listener(LockListener listener) {
            listeners.add(Objects.requireNonNull(listener));
            return this;
        }

        /**
         * Has {@link #build()} ask the store before it returns: a round trip, as this user, that reads what locks are read
         * from. What is wrong with the address, the server or the user's rights to read is told then, rather than by the
         * first lock. That the user may also write is not tried. By default nothing is asked, so that a process can start
         * while its store is away.
         */
        public Builder verify() {
            this.verified = true;
            return this;
        }

        /** For tests: another clock than the machine's, and timers by that clock. */
        Builder time(Ticker ticker, ScheduledThreadPoolExecutor timer) {
            this.ticker = ticker;
            this.timer = timer;
            return this;
        }

        /**
         * Opens the client. The store need not be reachable yet, unless {@link #verify()} was called; where that fails,
         * nothing is left open.
         *
         * @throws StoreUnavailableException if the store is to be verified and did not answer within the time-out
         * @throws StoreRefusedException if it is to be verified and refused
         * @throws IllegalArgumentException if the URI is wrong or no store on the class path serves it
         * @throws IllegalStateException if neither a URI nor a store was given, or both
         */
        public Holdfast build() {
            if ((uri == null) == (store == null)) {
                throw new IllegalStateException("give the builder a uri or a store, and not both");
            }
            String id = UUID.randomUUID().toString();
            String name = clientName == null ? id : clientName;
            LockStore opened =
                    store != null ? store : Stores.open(Objects.requireNonNull(uri), new StoreConfig(name, timeout));
            Client client =
                    Client.start(id, name, opened, lease, timeout, executor, List.copyOf(listeners), ticker, timer);
            if (verified) {
                client.verify();
            }
            Holdfast holdfast = new Holdfast(client);
            client.engine().listeners().started(holdfast);
            return holdfast;
        }
    }
}
