package io.holdfast.cas;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Latches: a count, the id that it was set with, and the ids that have counted, in one value. */
final class Latches {

    /** A latch that this process waits for is written about once in this time, so that the sweeper sees that it is used. */
    private static final long USED_NANOS = 24L * 3600 * 1_000_000_000;

    private static final int REMEMBERED = 10_000;

    /** @param counted the ids that have counted, also on latches of this name that were deleted */
    record Stored(LatchState state, Set<String> counted) {

        static final Stored NONE = new Stored(LatchState.NONE, Set.of());

        byte[] encode(Stamp stamp) {
            Bytes.Writer out = new Bytes.Writer(stamp);
            out.text(state.id());
            out.number(state.count());
            out.number(counted.size());
            counted.forEach(out::text);
            return out.bytes();
        }

        static Stored decode(String key, byte[] value) {
            try {
                Bytes.Reader in = new Bytes.Reader(key, value);
                in.stamp();
                LatchState state = new LatchState(in.text(), in.number());
                Set<String> counted = new HashSet<>();
                for (int i = in.count(); i > 0; i--) {
                    counted.add(in.text());
                }
                return new Stored(state, counted);
            } catch (IndexOutOfBoundsException e) {
                throw Bytes.Reader.foreign(key);
            }
        }
    }

    /** By key, the steps that wait for the update that is under way; absent if none is. */
    private final Map<String, List<Step>> gathering = new HashMap<>();

    private final Kernel kernel;
    private final Map<String, Long> written = new HashMap<>();

    Latches(Kernel kernel) {
        this.kernel = kernel;
    }

    CompletableFuture<LatchState> set(String name, String id, long count) {
        return update(
                        name,
                        latch -> latch.state.exists() ? latch : new Stored(new LatchState(id, count), latch.counted))
                .thenApply(Stored::state);
    }

    CompletableFuture<LatchState> countDown(String name, String id) {
        return update(name, latch -> {
                    if (!latch.state.exists() || latch.state.isOpen() || latch.counted.contains(id)) {
                        return latch;
                    }
                    Set<String> counted = new HashSet<>(latch.counted);
                    counted.add(id);
                    return new Stored(new LatchState(latch.state.id(), latch.state.count() - 1), counted);
                })
                .thenApply(Stored::state);
    }

    CompletableFuture<LatchState> look(String name) {
        String key = Keys.of(Resource.latch(name));
        return kernel.register().get(key).toCompletableFuture().thenApply(found -> {
            if (found.isEmpty()) {
                return LatchState.NONE;
            }
            Stored latch = Stored.decode(key, found.get().value());
            if (isUnused(key)) {
                kernel.register()
                        .cas(key, found.get(), latch.encode(kernel.stamps().next()), List.of());
            }
            return latch.state;
        });
    }

    /** Whether this process has not written it for a day; from now on it has. */
    private synchronized boolean isUnused(String key) {
        long now = kernel.now();
        Long last = written.get(key);
        if (last != null && now - last < USED_NANOS) {
            return false;
        }
        if (written.size() >= REMEMBERED) {
            written.clear();
        }
        written.put(key, now);
        return true;
    }

    CompletableFuture<Boolean> delete(String name, String id) {
        List<Boolean> deleted = new ArrayList<>(List.of(false));
        return update(name, latch -> {
                    if (!latch.state.exists() || !latch.state.id().equals(id)) {
                        return latch;
                    }
                    deleted.set(0, true); // also if the answer to an earlier attempt was lost
                    return new Stored(LatchState.NONE, latch.counted);
                })
                .thenApply(latch -> deleted.get(0));
    }

    /**
     * Updates of one latch by this client go together: while one compare-and-set is under way, those that come gather for the next. So
     * many that count at a time are not in each other's way.
     */
    private CompletableFuture<Stored> update(String name, UnaryOperator<Stored> step) {
        String key = Keys.of(Resource.latch(name));
        Step asked = new Step(step, new CompletableFuture<>());
        synchronized (gathering) {
            List<Step> gathered = gathering.get(key);
            if (gathered != null) {
                gathered.add(asked);
                return asked.answer();
            }
            gathering.put(key, new ArrayList<>());
        }
        new Update(key, List.of(asked)).read();
        return asked.answer();
    }

    /** An update is over: the next one begins with what gathered meanwhile. */
    private void next(String key) {
        List<Step> gathered;
        synchronized (gathering) {
            gathered = gathering.remove(key);
            if (gathered == null || gathered.isEmpty()) {
                return;
            }
            gathering.put(key, new ArrayList<>());
        }
        new Update(key, gathered).read();
    }

    /** One change that was asked for, and its answer. */
    private record Step(UnaryOperator<Stored> change, CompletableFuture<Stored> answer) {}

    private final class Update {

        private final String key;
        private final List<Step> steps;
        private final long since = kernel.now();
        private int lost;

        Update(String key, List<Step> steps) {
            this.key = key;
            this.steps = steps;
        }

        private void read() {
            kernel.register().get(key).whenComplete((found, failure) -> {
                if (failure != null) {
                    fail(Kernel.cause(failure));
                } else {
                    attempt(found.orElse(null));
                }
            });
        }

        private void attempt(@Nullable Entry entry) {
            Stored before;
            Stored after;
            List<Stored> results = new ArrayList<>();
            try {
                before = entry == null ? Stored.NONE : Stored.decode(key, entry.value());
                after = before;
                for (Step step : steps) {
                    after = step.change().apply(after);
                    results.add(after);
                }
            } catch (RuntimeException e) {
                fail(e);
                return;
            }
            if (after.equals(before)) {
                succeed(results);
                return;
            }
            kernel.register()
                    .cas(key, entry, after.encode(kernel.stamps().next()), List.of())
                    .whenComplete((result, failure) -> {
                        if (failure == null && result.applied()) {
                            succeed(results);
                        } else {
                            lost(result, failure == null ? null : Kernel.cause(failure));
                        }
                    });
        }

        private void lost(@Nullable CasResult result, @Nullable Throwable cause) {
            lost++;
            boolean over = kernel.now() - since >= kernel.timeoutNanos();
            if (cause != null && (over || !(cause instanceof StoreUnavailableException))) {
                fail(cause);
            } else if (result == null) {
                kernel.again(lost, this::read);
            } else if (over) {
                fail(new StoreUnavailableException("other clients were faster " + lost + " times in a row at " + key));
            } else {
                kernel.again(lost, () -> attempt(result.entry()));
            }
        }

        private void succeed(List<Stored> results) {
            next(key);
            for (int i = 0; i < results.size(); i++) {
                steps.get(i).answer().complete(results.get(i));
            }
        }

        private void fail(Throwable cause) {
            next(key);
            steps.forEach(step -> step.answer().completeExceptionally(cause));
        }
    }
}
