package io.holdfast.reactor;

import io.holdfast.Lease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Asks for a lease with each subscription. A lease is the subscriber's from {@code onNext} on, and this Mono's before that: when the
 * subscriber cancels, the request is withdrawn, and a lease that was granted and not yet delivered is given back.
 */
final class LeaseMono<A, T extends Lease> extends Mono<T> {

    private final Supplier<CompletableFuture<A>> request;
    private final Function<A, Optional<T>> toLease;

    /**
     * @param request begins an acquisition. Cancelling its future has to withdraw it, so it is the engine's own
     * @param toLease an empty answer completes the Mono without a lease
     */
    LeaseMono(Supplier<CompletableFuture<A>> request, Function<A, Optional<T>> toLease) {
        this.request = request;
        this.toLease = toLease;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> subscriber) {
        Acquiring<A, T> acquiring = new Acquiring<>(subscriber, toLease);
        subscriber.onSubscribe(acquiring);
        acquiring.begin(request);
    }

    private enum Stage {
        /** No answer, no demand. */
        BEGUN,
        /** Demand, and no answer. */
        WANTED,
        /** A lease, and no demand. */
        GRANTED,
        /** Delivered, failed or cancelled. */
        OVER
    }

    private static final class Acquiring<A, T extends Lease> implements Subscription {

        private final CoreSubscriber<? super T> subscriber;
        private final Function<A, Optional<T>> toLease;
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.BEGUN);
        private volatile @Nullable CompletableFuture<A> future;
        private volatile @Nullable T granted;

        Acquiring(CoreSubscriber<? super T> subscriber, Function<A, Optional<T>> toLease) {
            this.subscriber = subscriber;
            this.toLease = toLease;
        }

        void begin(Supplier<CompletableFuture<A>> request) {
            if (stage.get() == Stage.OVER) {
                return;
            }
            CompletableFuture<A> asked;
            try {
                asked = request.get();
            } catch (RuntimeException e) {
                asked = CompletableFuture.failedFuture(e);
            }
            future = asked;
            asked.whenComplete(this::answered);
            if (stage.get() == Stage.OVER) { // cancelled in between
                asked.cancel(true);
            }
        }

        private void answered(@Nullable A answer, @Nullable Throwable failure) {
            T lease = answer == null ? null : toLease.apply(answer).orElse(null);
            if (lease == null) {
                if (stage.getAndSet(Stage.OVER) != Stage.OVER) {
                    ended(failure);
                }
                return;
            }
            granted = lease;
            if (stage.compareAndSet(Stage.WANTED, Stage.OVER)) {
                deliver(lease);
            } else if (!stage.compareAndSet(Stage.BEGUN, Stage.GRANTED) && !tryDeliverWanted(lease)) {
                lease.closeAsync();
            }
        }

        /** The demand may have come between the two looks at the stage. */
        private boolean tryDeliverWanted(T lease) {
            boolean wanted = stage.compareAndSet(Stage.WANTED, Stage.OVER);
            if (wanted) {
                deliver(lease);
            }
            return wanted;
        }

        private void deliver(T lease) {
            subscriber.onNext(lease);
            subscriber.onComplete();
        }

        private void ended(@Nullable Throwable failure) {
            if (failure == null) {
                subscriber.onComplete();
            } else {
                subscriber.onError(failure);
            }
        }

        @Override
        public void request(long n) {
            if (!Operators.validate(n)) {
                return;
            }
            if (!stage.compareAndSet(Stage.BEGUN, Stage.WANTED) && stage.compareAndSet(Stage.GRANTED, Stage.OVER)) {
                T lease = granted;
                if (lease != null) {
                    deliver(lease);
                }
            }
        }

        @Override
        public void cancel() {
            Stage was = stage.getAndSet(Stage.OVER);
            T lease = granted;
            CompletableFuture<A> asked = future;
            if (was == Stage.GRANTED && lease != null) {
                lease.closeAsync();
            } else if (asked != null) {
                asked.cancel(true);
            }
        }
    }
}
