package io.holdfast.zookeeper;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Shows who holds and who waits. */
final class Inspecting {

    /** So many names are looked at together. */
    private static final int TOGETHER = 64;

    private final Ledger ledger;

    Inspecting(Ledger ledger) {
        this.ledger = ledger;
    }

    CompletableFuture<LockState> inspect(Kind kind, String name) {
        return ledger.lines.read(ledger.tree.name(kind, name)).thenCompose(line -> state(kind, name, line));
    }

    private CompletableFuture<LockState> state(Kind kind, String name, @Nullable Line line) {
        int unknown = kind == Kind.SEMAPHORE ? -1 : 0;
        if (line == null) {
            return CompletableFuture.completedFuture(new LockState(name, unknown, List.of(), List.of()));
        }
        Node capacity = line.capacity();
        int permits = capacity == null ? unknown : (int) capacity.number();
        CompletableFuture<List<Claimant>> holders = ledger.lines
                .look(line, line.held())
                .thenApply(seen -> seen.stream()
                        .sorted(Comparator.comparingLong(one -> one.entry().token(one.stat())))
                        .map(Lines.Seen::claimant)
                        .toList());
        CompletableFuture<List<Claimant>> waiters = ledger.lines
                .look(line, line.queue())
                .thenApply(seen -> seen.stream().map(Lines.Seen::claimant).toList());
        return holders.thenCombine(waiters, (hold, wait) -> new LockState(name, permits, hold, wait));
    }

    /** Those that are held, of all buckets. */
    CompletableFuture<List<LockState>> list(Kind kind, String prefix, int limit) {
        List<CompletableFuture<List<String>>> buckets = new ArrayList<>();
        for (String bucket : ledger.tree.buckets(kind)) {
            CompletableFuture<Session.Children> children =
                    buckets.isEmpty() ? ledger.session.latestChildren(bucket) : ledger.session.children(bucket);
            buckets.add(Errors.unless(children.thenApply(Session.Children::names), code -> switch (code) {
                case NONODE -> CompletableFuture.completedFuture(List.of());
                default -> null;
            }));
        }
        return Lines.all(buckets).thenCompose(unused -> {
            List<String> names = buckets.stream()
                    .flatMap(bucket -> bucket.join().stream())
                    .map(Names::decode)
                    .filter(name -> name.startsWith(prefix))
                    .toList();
            return held(kind, names, 0, limit, new ArrayList<>());
        });
    }

    private CompletableFuture<List<LockState>> held(
            Kind kind, List<String> names, int from, int limit, List<LockState> found) {
        if (found.size() >= limit) {
            return CompletableFuture.completedFuture(found.subList(0, limit));
        }
        if (from >= names.size()) {
            return CompletableFuture.completedFuture(found);
        }
        int to = Math.min(names.size(), from + TOGETHER);
        List<CompletableFuture<LockState>> looks = names.subList(from, to).stream()
                .map(name -> inspect(kind, name))
                .toList();
        return Lines.all(looks).thenCompose(unused -> {
            looks.stream()
                    .map(CompletableFuture::join)
                    .filter(LockState::isLocked)
                    .forEach(found::add);
            return held(kind, names, to, limit, found);
        });
    }
}
