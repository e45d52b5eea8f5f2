package io.holdfast.zookeeper;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the holders and the waiters. */
final class Inspecting {

    private static final Logger log = LoggerFactory.getLogger(Inspecting.class);

    /** So many names are looked at together. */
    private static final int TOGETHER = 64;

    private final Ledger ledger;

    Inspecting(Ledger ledger) {
        this.ledger = ledger;
    }

    CompletableFuture<LockState> inspect(Resource resource) {
        return ledger.lines.read(ledger.tree.name(resource)).thenCompose(line -> state(resource, line));
    }

    private CompletableFuture<LockState> state(Resource resource, @Nullable Line line) {
        String name = resource.name();
        int unknown = resource.type() == ResourceType.SEMAPHORE ? -1 : 0;
        if (line == null) {
            return CompletableFuture.completedFuture(new LockState(name, unknown, List.of(), List.of()));
        }
        ChildNode capacity = line.capacity();
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

    /** The held locks of all buckets. */
    CompletableFuture<List<LockState>> list(ResourceType type, String prefix, int limit) {
        AtomicInteger hidden = new AtomicInteger();
        List<CompletableFuture<List<String>>> buckets = new ArrayList<>();
        for (String bucket : ledger.tree.buckets(type)) {
            CompletableFuture<Session.Children> children =
                    buckets.isEmpty() ? ledger.session.latestChildren(bucket) : ledger.session.children(bucket);
            buckets.add(Errors.unless(children.thenApply(Session.Children::names), code -> switch (code) {
                case NONODE -> CompletableFuture.completedFuture(List.of());
                case NOAUTH -> {
                    hidden.incrementAndGet();
                    yield CompletableFuture.completedFuture(List.of());
                }
                default -> null;
            }));
        }
        return Lines.all(buckets).thenCompose(unused -> {
            List<String> names = buckets.stream()
                    .flatMap(bucket -> bucket.join().stream())
                    .map(Names::decode)
                    .filter(name -> name.startsWith(prefix))
                    .toList();
            if (hidden.get() > 0) {
                log.warn(
                        "{} of the {} nodes that the list of names is in may not be read by this client: it lacks what is there."
                                + " Check the user and the password in the URI, and the nodes' access lists",
                        hidden.get(),
                        buckets.size());
            }
            return held(type, names, 0, limit, new ArrayList<>(), new AtomicInteger());
        });
    }

    private CompletableFuture<List<LockState>> held(
            ResourceType type, List<String> names, int from, int limit, List<LockState> found, AtomicInteger hidden) {
        if (found.size() >= limit || from >= names.size()) {
            if (hidden.get() > 0) {
                log.warn(
                        "The list lacks {} names that this client may not read: they are another user's", hidden.get());
            }
            return CompletableFuture.completedFuture(found.subList(0, Math.min(limit, found.size())));
        }
        int to = Math.min(names.size(), from + TOGETHER);
        List<CompletableFuture<LockState>> looks = names.subList(from, to).stream()
                .map(name -> Errors.unless(inspect(new Resource(type, name)), code -> switch (code) {
                    case NOAUTH -> {
                        hidden.incrementAndGet();
                        yield CompletableFuture.completedFuture(new LockState(name, 0, List.of(), List.of()));
                    }
                    default -> null;
                }))
                .toList();
        return Lines.all(looks).thenCompose(unused -> {
            looks.stream()
                    .map(CompletableFuture::join)
                    .filter(LockState::isLocked)
                    .forEach(found::add);
            return held(type, names, to, limit, found, hidden);
        });
    }
}
