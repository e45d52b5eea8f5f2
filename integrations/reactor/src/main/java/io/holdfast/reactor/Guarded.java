package io.holdfast.reactor;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Bodies that run while a lease is held. The loss of the lease is a signal that completes: {@code takeUntilOther} cancels the body then,
 * and not where its companion fails.
 */
final class Guarded {

    private Guarded() {}

    static <L extends Lease, T> Mono<T> mono(Mono<L> acquire, Function<? super L, ? extends Mono<? extends T>> body) {
        return Mono.usingWhen(
                acquire,
                lease -> Mono.<T>from(body.apply(lease))
                        .takeUntilOther(loss(lease))
                        .switchIfEmpty(failIfLost(lease)),
                Guarded::release,
                (lease, failure) -> release(lease),
                Guarded::releaseQuietly);
    }

    static <L extends Lease, T> Flux<T> flux(
            Mono<L> acquire, Function<? super L, ? extends Publisher<? extends T>> body) {
        return Flux.usingWhen(
                acquire,
                lease -> Flux.<T>from(body.apply(lease))
                        .takeUntilOther(loss(lease))
                        .concatWith(failIfLost(lease)),
                Guarded::release,
                (lease, failure) -> release(lease),
                Guarded::releaseQuietly);
    }

    private static Mono<Void> loss(Lease lease) {
        return Mono.create(sink -> lease.onLost(lost -> sink.success()));
    }

    /** After the body: the close of a lost lease fails, and says how it was lost. */
    private static <T> Mono<T> failIfLost(Lease lease) {
        return Mono.defer(() -> lease.isValid()
                ? Mono.empty()
                : release(lease)
                        .then(Mono.error(() -> new LeaseLostException(
                                "the lease on '" + lease.name() + "' was lost while it was used"))));
    }

    private static Mono<Void> release(Lease lease) {
        return Mono.fromFuture(lease::closeAsync);
    }

    /** The subscriber has cancelled and takes no failure. Where the store did not confirm, the lease ends by itself. */
    private static Mono<Void> releaseQuietly(Lease lease) {
        return release(lease).onErrorResume(failure -> Mono.empty());
    }
}
