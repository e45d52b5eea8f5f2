package io.holdfast.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@DisplayName("A reactive lock")
class ReactiveLockTest extends ReactiveTest {

    private final ReactiveLock lock = ReactiveLock.of(holdfast.lock(name));

    @Test
    @DisplayName("is tested with the version of Reactor that the build says")
    void version() {
        assertThat(Mono.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .endsWith("reactor-core-" + System.getProperty("holdfast.reactor") + ".jar");
    }

    @Test
    @DisplayName("finds a thread of Reactor that blocks: otherwise these tests would show nothing")
    void wouldFindBlocking() {
        Mono<Void> blocking = Mono.<Void>fromRunnable(() -> {
                    try {
                        Thread.sleep(1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .subscribeOn(Schedulers.parallel());
        assertThatThrownBy(blocking::block).hasMessageContaining("Blocking call");
    }

    @Test
    @DisplayName("is taken with each subscription, and not before")
    void isLazy() throws Exception {
        Mono<Lease> acquire = lock.acquire().subscribeOn(Schedulers.parallel());
        assertThat(holders()).isZero();
        Lease first = acquire.block(SOON);
        assertThat(first.isValid()).isTrue();
        assertThat(lock.tryAcquire(Duration.ZERO).hasElement().block(SOON)).isFalse();
        first.close();
        Lease second = acquire.block(SOON);
        assertThat(second.token()).isGreaterThan(first.token());
        second.close();
        isFree();
    }

    @Test
    @DisplayName("is not delivered before it is asked for, and is given back if it never is")
    void heedsDemand() throws Exception {
        AtomicReference<Lease> had = new AtomicReference<>();
        BaseSubscriber<Lease> slow = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                // no demand yet
            }

            @Override
            protected void hookOnNext(Lease lease) {
                had.set(lease);
            }
        };
        lock.acquire().subscribe(slow);
        until(() -> holders() == 1);
        slow.request(1);
        until(() -> had.get() != null);
        had.get().close();
        BaseSubscriber<Lease> never = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                // no demand at all
            }
        };
        lock.acquire().subscribe(never);
        until(() -> holders() == 1);
        never.cancel();
        isFree();
    }

    @Test
    @DisplayName("leaves nothing of a subscriber that cancels while it waits")
    void cancelLeavesNothing() throws Exception {
        DistributedLock held = other.lock(name);
        Lease lease = held.acquire();
        Disposable waiting = lock.acquire().subscribeOn(Schedulers.parallel()).subscribe();
        until(() -> waiters() == 1);
        waiting.dispose();
        until(() -> waiters() == 0);
        lease.close();
        isFree();
    }

    @Test
    @DisplayName("leaves nothing of a subscriber that cancels at the moment of the grant")
    void cancelAtTheGrant() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch over = new CountDownLatch(1);
            Disposable body = lock.withLock(Mono.delay(Duration.ofNanos(1)))
                    .subscribeOn(Schedulers.parallel())
                    .doFinally(signal -> over.countDown())
                    .subscribe(value -> {}, failure -> {});
            long until = System.nanoTime() + ThreadLocalRandom.current().nextInt(300_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            body.dispose();
            assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        }
        isFree();
    }

    @Test
    @DisplayName("is given back when the body completes, fails, is empty, and is cancelled")
    void givesBack() throws Exception {
        assertThat(lock.withLock(Mono.fromSupplier(this::holders)).block(SOON)).isEqualTo(1);
        isFree();
        assertThat(lock.withLock(Mono.empty()).hasElement().block(SOON)).isFalse();
        isFree();
        assertThatThrownBy(() -> lock.withLock(Mono.error(new IllegalStateException("the body's own")))
                        .block(SOON))
                .hasMessage("the body's own");
        isFree();
        assertThatThrownBy(
                        () -> lock.withLock(Flux.just(1, 2).concatWith(Flux.error(new IllegalStateException("later"))))
                                .blockLast(SOON))
                .hasMessage("later");
        isFree();
        assertThat(lock.withLock(Flux.range(0, 100)).collectList().block(SOON)).hasSize(100);
        isFree();
        assertThat(lock.withLock(Flux.interval(Duration.ofMillis(1)))
                        .take(3)
                        .collectList()
                        .block(SOON))
                .containsExactly(0L, 1L, 2L);
        isFree();
        Disposable forever = lock.withLock(Mono.never()).subscribe();
        until(() -> holders() == 1);
        forever.dispose();
        isFree();
    }

    @Test
    @DisplayName("excludes two subscriptions on one and the same thread")
    void excludesOnOneThread() throws Exception {
        Scheduler one = Schedulers.newSingle("one");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Mono<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(lock.withLock(Mono.defer(() -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        return Mono.delay(Duration.ofMillis(2), one).map(late -> inside.decrementAndGet());
                    }))
                    .subscribeOn(one));
        }
        assertThat(Flux.merge(all).collectList().block(SOON)).hasSize(20);
        assertThat(most).hasValue(1);
        one.dispose();
        isFree();
    }

    @Test
    @DisplayName("that is lost cancels the body, and says so")
    void lossCancelsTheBody() throws Exception {
        try (Holdfast renewing = Holdfast.builder()
                .uri("memory:" + name)
                .lease(Duration.ofSeconds(1)) // renewed each third of it, by which a loss is noticed
                .build()) {
            ReactiveLock lost = ReactiveLock.of(renewing.lock(name));
            for (boolean flux : new boolean[] {false, true}) {
                AtomicBoolean cancelled = new AtomicBoolean();
                Sinks.One<Throwable> told = Sinks.one();
                Flux<Long> body = Flux.interval(Duration.ofMillis(1)).doOnCancel(() -> cancelled.set(true));
                Flux<Long> guarded = flux
                        ? lost.withLock(body)
                        : lost.withLock(body.then(Mono.<Long>empty())).flux();
                guarded.subscribeOn(Schedulers.parallel()).subscribe(value -> {}, told::tryEmitValue);
                until(() -> holders() == 1);
                assertThat(other.forceUnlock(name)).isTrue();
                assertThat(told.asMono().block(SOON)).isInstanceOf(LeaseLostException.class);
                until(cancelled::get);
                isFree();
            }
        }
    }

    @Test
    @DisplayName("passes the subscriber's context on to the body")
    void passesTheContext() {
        assertThat(lock.withLock(Mono.deferContextual(context -> Mono.just(context.<String>get("who"))))
                        .contextWrite(context -> context.put("who", "alice"))
                        .block(SOON))
                .isEqualTo("alice");
        assertThat(lock.withLock(Flux.deferContextual(context -> Flux.just(context.<String>get("who"))))
                        .contextWrite(context -> context.put("who", "bob"))
                        .blockLast(SOON))
                .isEqualTo("bob");
    }

    @Test
    @DisplayName("that is not had in time leaves the body alone")
    void triesInVain() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        Lease held = other.lock(name).acquire();
        Mono<Boolean> body = Mono.fromSupplier(() -> ran.getAndSet(true));
        assertThat(lock.tryWithLock(Duration.ofMillis(20), body).hasElement().block(SOON))
                .isFalse();
        assertThat(lock.tryWithLock(Duration.ZERO, body.flux()).hasElements().block(SOON))
                .isFalse();
        assertThat(ran).isFalse();
        assertThat(waiters()).isZero();
        held.close();
        assertThat(lock.tryWithLock(SOON, body).block(SOON)).isFalse();
        assertThat(ran).isTrue();
        isFree();
    }

    @Test
    @DisplayName("hands failures on as they are")
    void fails() {
        holdfast.close();
        assertThatThrownBy(() -> lock.acquire().block(SOON)).hasMessageContaining("closed");
        assertThatThrownBy(() -> lock.withLock(Mono.just(1)).block(SOON)).hasMessageContaining("closed");
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1)).block(SOON))
                .hasMessageContaining("closed");
    }
}
