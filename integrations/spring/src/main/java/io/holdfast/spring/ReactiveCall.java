package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A call that returns a reactive type, under its locks, from each subscription until that has ended or was cancelled. The call itself is made when
 * the locks are granted, so what the method does before it returns is done under them too. A loss fails the subscription and cancels its
 * source.
 */
final class ReactiveCall {

    private static final Object KEYS = new Object();

    private ReactiveCall() {}

    /** @param body makes the call, once for each subscription */
    static Object run(
            List<LockTarget> targets, LockSettings settings, ReactiveAdapter adapter, Supplier<@Nullable Object> body) {
        Supplier<Publisher<Object>> source = () -> adapter.toPublisher(body.get());
        Publisher<Object> locked = adapter.isMultiValue()
                ? Flux.deferContextual(context -> new Subscription(targets, settings, context).flux(source))
                : Mono.deferContextual(context -> new Subscription(targets, settings, context).mono(source));
        return adapter.fromPublisher(locked);
    }

    /** One subscription. However it ends, and whenever the grant comes, what was granted is given back once. */
    private static final class Subscription {

        private final List<LockTarget> targets;
        private final LockSettings settings;
        private final Set<Object> keys = new HashSet<>();
        private @Nullable CompletableFuture<@Nullable Lease> acquisition;
        private @Nullable Held held;
        private boolean over;

        Subscription(List<LockTarget> targets, LockSettings settings, ContextView context) {
            this.targets = targets;
            this.settings = settings;
            Set<Object> outer = context.hasKey(KEYS) ? context.get(KEYS) : Set.of();
            for (LockTarget target : targets) {
                if (!target.isSemaphore() && outer.contains(target.key())) {
                    throw Locking.selfWait(target.name());
                }
                keys.add(target.key());
            }
            keys.addAll(outer);
        }

        Flux<Object> flux(Supplier<Publisher<Object>> source) {
            return Mono.fromCompletionStage(this::acquire)
                    .flatMapMany(granted -> Flux.defer(source)
                            .takeUntilOther(loss(granted))
                            .concatWith(Mono.fromCompletionStage(granted::releaseAsync)
                                    .then(Mono.empty())))
                    .contextWrite(context -> context.put(KEYS, keys))
                    .doFinally(signal -> end());
        }

        Mono<Object> mono(Supplier<Publisher<Object>> source) {
            return Mono.fromCompletionStage(this::acquire)
                    .flatMap(granted -> Mono.from(once(source))
                            .takeUntilOther(loss(granted))
                            .materialize()
                            .flatMap(signal -> signal.isOnError()
                                    ? Mono.just(signal)
                                    : Mono.fromCompletionStage(granted::releaseAsync)
                                            .thenReturn(signal))
                            .dematerialize())
                    .contextWrite(context -> context.put(KEYS, keys))
                    .doFinally(signal -> end());
        }

        /** Without the cancellation that {@code Mono.from} sends to a source of one value. */
        private static Mono<Object> once(Supplier<Publisher<Object>> source) {
            return Mono.defer(() -> {
                Publisher<Object> publisher = source.get();
                return publisher instanceof Mono<Object> mono ? mono : Mono.fromDirect(publisher);
            });
        }

        private synchronized CompletableFuture<@Nullable Held> acquire() {
            CompletableFuture<@Nullable Lease> asked = Locking.acquireAsync(targets, settings);
            acquisition = asked;
            return asked.thenApply(this::granted);
        }

        private @Nullable Held granted(@Nullable Lease lease) {
            if (lease == null) {
                if (settings.skips()) {
                    return null; // an empty source
                }
                throw Locking.busy(targets, settings);
            }
            Held grant = new Held(targets, lease, Held.Release.of(lease), settings, true);
            boolean late;
            synchronized (this) {
                held = grant;
                late = over;
            }
            if (late) {
                grant.releaseAsync();
            }
            return grant;
        }

        /** Has a value when the lease is lost, which cancels the source; the release fails then. An error would not cancel it. */
        private Mono<Object> loss(Held granted) {
            return settings.onLost() == OnLost.LOG
                    ? Mono.never()
                    : Mono.create(sink -> granted.lease().onLost(sink::success));
        }

        private void end() {
            CompletableFuture<@Nullable Lease> pending;
            Held grant;
            synchronized (this) {
                over = true;
                pending = acquisition;
                grant = held;
            }
            if (grant != null) {
                grant.releaseAsync();
            } else if (pending != null) {
                pending.cancel(false);
            }
        }
    }
}
