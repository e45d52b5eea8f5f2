package io.holdfast.zookeeper;

import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Latches. A latch is a node, and a count-down adds a child named by its id: an id counts once, and count-downs at the
 * same time do not conflict. What is left is the count that it was set with, less the
 * children that came since. A latch that was deleted keeps its node, with nothing set, so that ids which have counted are
 * remembered.
 */
final class Latches implements LatchStore {

    private static final int ATTEMPTS = 40;
    private static final int TOUCHED = 10_000;
    private static final long DAY_NANOS = Duration.ofDays(1).toNanos();

    /**
     * A latch as it was read.
     *
     * @param id the id that it was set with; empty if it is not set
     * @param total how often it was to be counted down then
     * @param before how many children there were then
     */
    private record Latch(String id, long total, int before, Stat stat) {

        static Latch of(Session.Data data) {
            String[] lines = data.text().split("\n", -1);
            return lines.length < 3
                    ? new Latch("", 0, 0, data.stat())
                    : new Latch(
                            Names.decode(lines[0]), Long.parseLong(lines[1]), Integer.parseInt(lines[2]), data.stat());
        }

        static byte[] bytes(String id, long total, int before) {
            return (Names.encode(id) + "\n" + total + "\n" + before).getBytes(StandardCharsets.UTF_8);
        }

        LatchState state() {
            return id.isEmpty()
                    ? LatchState.NONE
                    : new LatchState(id, Math.max(0, total - (stat.getNumChildren() - before)));
        }

        byte[] bytes() {
            return bytes(id, total, before);
        }
    }

    private final Ledger ledger;
    private final Session session;

    /** When latches that are looked at were last kept from ending, or first looked at. */
    private final Recent<Long> touched = new Recent<>(TOUCHED);

    Latches(Ledger ledger) {
        this.ledger = ledger;
        this.session = ledger.session;
    }

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        return repeat(
                name,
                path -> read(path).thenCompose(latch -> {
                    LatchState set = new LatchState(id, count);
                    if (latch == null) {
                        return session.create(path, Latch.bytes(id, count, 0), CreateMode.PERSISTENT)
                                .thenApply(unused -> set);
                    }
                    if (!latch.id.isEmpty()) {
                        return CompletableFuture.completedFuture(latch.state());
                    }
                    byte[] bytes = Latch.bytes(id, count, latch.stat.getNumChildren());
                    return session.set(path, bytes, latch.stat.getVersion()).thenApply(unused -> set);
                }));
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        return repeat(
                name,
                path -> read(path).thenCompose(latch -> {
                    if (latch == null || latch.state().count() == 0) {
                        return CompletableFuture.completedFuture(state(latch));
                    }
                    // As long as the version is the same it is the same latch, and it is set.
                    CompletableFuture<LatchState> counted = session.multi(List.of(
                                    Op.check(path, latch.stat.getVersion()),
                                    session.make(
                                            path + "/" + Names.encode(id), Session.NOTHING, CreateMode.PERSISTENT)))
                            .thenCompose(unused -> read(path))
                            .thenApply(after -> counted(path, after));
                    return Errors.unless(counted, code -> switch (code) {
                        case NODEEXISTS -> read(path).thenApply(Latches::state); // it has counted before
                        default -> null;
                    });
                }));
    }

    /** A child notifies no watch; the opening does. */
    private LatchState counted(String path, @Nullable Latch latch) {
        if (latch != null && latch.state().isOpen()) {
            session.set(path, latch.bytes(), latch.stat.getVersion());
        }
        return state(latch);
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return repeat(
                name,
                path -> read(path).thenApply(latch -> {
                    if (latch != null) {
                        keep(path, latch);
                    }
                    return state(latch);
                }));
    }

    private void keep(String path, Latch latch) {
        Long last = touched.get(path);
        if (last == null) {
            touched.put(path, ledger.now());
        } else if (ledger.now() - last > DAY_NANOS) {
            touched.put(path, ledger.now());
            session.set(path, latch.bytes(), latch.stat.getVersion());
        }
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        return repeat(
                name,
                path -> read(path).thenCompose(latch -> {
                    if (latch == null || latch.id.isEmpty() || !latch.id.equals(id)) {
                        return CompletableFuture.completedFuture(false);
                    }
                    return session.set(path, Latch.bytes("", 0, 0), latch.stat.getVersion())
                            .thenApply(unused -> true);
                }));
    }

    private CompletableFuture<@Nullable Latch> read(String path) {
        CompletableFuture<@Nullable Latch> latch = session.latestData(path).thenApply(Latch::of);
        return Errors.unless(latch, code -> switch (code) {
            case NONODE -> CompletableFuture.completedFuture(null);
            default -> null;
        });
    }

    private static LatchState state(@Nullable Latch latch) {
        return latch == null ? LatchState.NONE : latch.state();
    }

    private <T> CompletableFuture<T> repeat(String name, Function<String, CompletableFuture<T>> command) {
        Supplier<String> what = () -> Messages.label(ResourceType.LATCH, name);
        return ledger.errors.told(what, repeat(what, ledger.tree.name(Resource.latch(name)), command, 0));
    }

    /** Once more, if another client was faster. */
    private <T> CompletableFuture<T> repeat(
            Supplier<String> what, String path, Function<String, CompletableFuture<T>> command, int attempt) {
        if (attempt > ATTEMPTS) {
            return CompletableFuture.failedFuture(ledger.errors.crowded(what.get()));
        }
        return Errors.unless(command.apply(path), code -> switch (code) {
            case BADVERSION, NODEEXISTS -> repeat(what, path, command, attempt + 1);
            case NONODE ->
                session.createAll(Session.parent(path)).thenCompose(unused -> repeat(what, path, command, attempt + 1));
            default -> null;
        });
    }
}
