package io.holdfast.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName("A reactive semaphore")
class ReactiveSemaphoreTest extends ReactiveTest {

    private final ReactiveSemaphore semaphore = ReactiveSemaphore.of(holdfast.semaphore(name, 3));

    private int free() {
        return other.semaphore(name, 3).availablePermits();
    }

    @Test
    @DisplayName("lets no more in than it has permits, and has all of them back")
    void bounds() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Mono<Integer> body = Mono.defer(() -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            return Mono.delay(Duration.ofMillis(2)).map(late -> inside.decrementAndGet());
        });
        Flux.range(0, 20)
                .flatMap(i -> semaphore.withPermits(1, body).subscribeOn(Schedulers.parallel()), 20)
                .blockLast(SOON);
        assertThat(most.get()).isBetween(1, 3);
        assertThat(semaphore.withPermits(3, Flux.just(free(), 2)).collectList().block(SOON))
                .hasSize(2);
        until(() -> free() == 3);
    }

    @Test
    @DisplayName("leaves nothing of a subscriber that cancels, and fails where more is asked for than there is")
    void cancels() throws Exception {
        Lease all = semaphore.acquire(3).block(SOON);
        assertThat(semaphore.tryAcquire(1, Duration.ZERO).hasElement().block(SOON))
                .isFalse();
        Disposable waiting = semaphore.acquire(2).subscribe();
        waiting.dispose();
        all.close();
        until(() -> free() == 3);
        assertThatThrownBy(() -> semaphore.acquire(0).block(SOON)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.acquire(4).block(SOON)).hasMessageContaining("permit");
    }
}
