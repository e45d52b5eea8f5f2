package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import io.holdfast.Guarantee;
import io.holdfast.HoldfastException;
import io.holdfast.cas.BlockingRegister;
import io.holdfast.cas.CasResult;
import io.holdfast.cas.Entry;
import io.holdfast.cas.RegisterListener;
import io.holdfast.cas.Signal;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A register in one map of a Hazelcast cluster. It has no versions: {@code replace(key, old, new)} and {@code remove(key, old)}
 * compare values, on the member that owns the key.
 *
 * <p>Values are kept as text, a character for each byte. With arrays the comparison would depend on the map's in-memory format: a map of
 * objects compares arrays by identity, so that no write would ever succeed.
 *
 * <p>Nothing here has a time to live, except signals: {@code replace} silently removes it, and members count it in whole seconds.
 */
final class HazelcastRegister extends BlockingRegister {

    private static final int THREADS = 16;

    /** Long enough for a client that reconnects; the kernel finds out by itself about what it missed. */
    private static final int SIGNAL_SECONDS = 60;

    private final String description;
    private final String mapName;
    private final HazelcastInstance hazelcast;
    private final boolean own;
    private final MapCheck check;
    private final Watching watching;
    private volatile @Nullable IMap<String, String> map;

    /** @param own whether the instance is this register's, to be shut down with it */
    private HazelcastRegister(
            String description,
            HazelcastInstance hazelcast,
            boolean own,
            String map,
            MapCheck check,
            Duration timeout) {
        super("holdfast-hazelcast", THREADS, timeout);
        this.description = description;
        this.hazelcast = hazelcast;
        this.own = own;
        this.mapName = map;
        this.check = check;
        this.watching = new Watching(hazelcast, this::map, this::call, timeout);
    }

    /**
     * Opens a register on the cluster at
     * {@code hazelcast://host[:port][,host[:port]…][/map][?cluster=dev&backups=1]}. The members may be away then, and at any time after.
     *
     * <p>{@code backups} says how many synchronous backups the members' configuration gives the map, which a client can't see. Without
     * it, {@link #guarantee} promises no more than for one member.
     *
     * @throws IllegalArgumentException if the URI is wrong; the message does not contain it
     */
    static HazelcastRegister open(String uri, StoreConfig config) {
        HazelcastAddress address = HazelcastAddress.parse(uri);
        Lifecycle lifecycle = new Lifecycle();
        HazelcastRegister register = new HazelcastRegister(
                address.description(),
                Clients.connect(address, config, lifecycle),
                true,
                address.map(),
                MapCheck.told(address.backups()),
                config.timeout());
        register.watching.begin(lifecycle);
        return register;
    }

    /**
     * Opens a register on an existing client or member, which it does not close. A client should not repeat commands by itself
     * ({@code redoOperation} off).
     *
     * @param map the name of the map, as in {@code holdfast}
     * @param backups how many synchronous backups the map has, for a client; a member knows it by itself
     * @param timeout how long to wait for an answer
     * @throws IllegalArgumentException if the map can't keep locks: it evicts, expires or caches entries, as far as the instance knows
     */
    static HazelcastRegister using(HazelcastInstance hazelcast, String map, int backups, Duration timeout) {
        MapCheck check = MapCheck.of(hazelcast, HazelcastAddress.checkedMap(map), backups);
        String description = "Hazelcast instance " + hazelcast.getName() + ", map " + map;
        if (check.danger() != null) {
            throw new IllegalArgumentException(description + " can't keep locks: " + check.danger());
        }
        HazelcastRegister register = new HazelcastRegister(description, hazelcast, false, map, check, timeout);
        register.watching.begin();
        return register;
    }

    @Override
    public String description() {
        return description;
    }

    /** With a synchronous backup and a member to keep it, a write survives the loss of a member. */
    @Override
    public Guarantee guarantee() {
        return check.backups() > 0 && watching.mayHaveBackups() ? Guarantee.REPLICATED : Guarantee.SINGLE;
    }

    /** Made when it is first needed: that takes a connection. */
    private IMap<String, String> map() {
        @Nullable IMap<String, String> made = map;
        if (made == null) {
            made = hazelcast.getMap(mapName);
            map = made;
        }
        return made;
    }

    @Override
    protected @Nullable Entry read(String key) throws Exception {
        watching.awaitConnection();
        return entry(map().get(key));
    }

    @Override
    protected CasResult compareAndSet(String key, @Nullable Entry expected, byte[] value) throws Exception {
        watching.awaitConnection();
        String text = text(value);
        if (expected == null) {
            @Nullable Entry there = entry(map().putIfAbsent(key, text));
            return there == null ? new CasResult(true, new Entry(value, 0)) : new CasResult(false, there);
        }
        return map().replace(key, text(expected.value()), text)
                ? new CasResult(true, new Entry(value, 0))
                : new CasResult(false, entry(map().get(key)));
    }

    @Override
    protected CasResult compareAndDelete(String key, Entry expected) throws Exception {
        watching.awaitConnection();
        return map().remove(key, text(expected.value()))
                ? new CasResult(true, null)
                : new CasResult(false, entry(map().get(key)));
    }

    @Override
    protected void put(Signal signal) {
        map().set(signal.key(), text(signal.value()), SIGNAL_SECONDS, TimeUnit.SECONDS);
    }

    /** In the order of the keys; each member sends its part of one page, and nothing of Holdfast's runs there. */
    @Override
    protected List<Listed> page(String prefix, String after, int limit) throws Exception {
        watching.awaitConnection();
        Predicate<String, String> wanted = Predicates.regex("__key", "(?s)" + Pattern.quote(prefix) + ".*");
        if (!after.isEmpty()) {
            wanted = Predicates.and(wanted, Predicates.greaterThan("__key", after));
        }
        return map().entrySet(Predicates.<String, String>pagingPredicate(wanted, limit)).stream()
                .sorted(Map.Entry.comparingByKey())
                .map(found -> new Listed(found.getKey(), new Entry(bytes(found.getValue()), 0)))
                .toList();
    }

    @Override
    public Subscription watch(String key, RegisterListener listener) {
        return watching.watch(key, changed -> listener.changed(entry(changed)), listener::resync);
    }

    @Override
    public Subscription whenUnsure(Runnable look) {
        return watching.whenUnsure(look);
    }

    @Override
    protected HoldfastException translate(Exception failure) {
        return Errors.translate(description, failure);
    }

    @Override
    protected void closeClient() {
        watching.close();
        // Either waits for the cluster; the caller must not.
        Thread ending = new Thread(own ? hazelcast::shutdown : watching::removeListeners, "holdfast-hazelcast-end");
        ending.setDaemon(true);
        ending.start();
    }

    private static @Nullable Entry entry(@Nullable String text) {
        return text == null ? null : new Entry(bytes(text), 0);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
