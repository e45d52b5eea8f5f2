package io.holdfast.micrometer;

import io.holdfast.ClientSnapshot;
import io.holdfast.Holdfast;
import io.holdfast.LocalOwner;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How many holds and waiters the clients have now, by the tag of their lock. A scrape reads many gauges one after the other, so what one
 * of them has counted serves the others as well.
 */
final class LocalCounts {

    private static final long FRESH_NANOS = 100_000_000;

    private static final class Counts {
        final long at = System.nanoTime();
        final Map<String, Integer> held = new HashMap<>();
        final Map<String, Integer> waiting = new HashMap<>();
    }

    private final Function<String, String> tagOf;
    private final List<WeakReference<Holdfast>> clients = new CopyOnWriteArrayList<>();
    private volatile @Nullable Counts last;

    LocalCounts(Function<String, String> tagOf) {
        this.tagOf = tagOf;
    }

    void add(Holdfast client) {
        clients.add(new WeakReference<>(client));
    }

    int held(String tag) {
        return counts().held.getOrDefault(tag, 0);
    }

    int waiting(String tag) {
        return counts().waiting.getOrDefault(tag, 0);
    }

    private Counts counts() {
        Counts known = last;
        if (known == null || System.nanoTime() - known.at > FRESH_NANOS) {
            known = count();
            last = known;
        }
        return known;
    }

    private Counts count() {
        Counts counts = new Counts();
        clients.removeIf(reference -> reference.get() == null);
        for (WeakReference<Holdfast> reference : clients) {
            Holdfast client = reference.get();
            if (client == null) {
                continue;
            }
            ClientSnapshot snapshot = client.snapshot();
            snapshot.holds().stream()
                    .filter(hold -> hold.owner().kind() != LocalOwner.Kind.KEPT)
                    .forEach(hold -> counts.held.merge(tagOf.apply(hold.name()), 1, Integer::sum));
            snapshot.waiters().stream()
                    .filter(waiter -> waiter.mode() != null)
                    .forEach(waiter -> counts.waiting.merge(tagOf.apply(waiter.name()), 1, Integer::sum));
        }
        return counts;
    }
}
