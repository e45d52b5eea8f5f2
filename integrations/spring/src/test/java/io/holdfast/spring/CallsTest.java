package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@DisplayName("A call under a lock")
class CallsTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @WithLock(name = "", onBusy = OnBusy.THROW)
    @interface Guarded {
        @AliasFor(annotation = WithLock.class, attribute = "name")
        String value();
    }

    public record Order(long id, String customer) {}

    public static class Tenants {
        public String current() {
            return "acme";
        }
    }

    static class Work {

        final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        private static String held() {
            return LockTemplate.currentLease().map(Lease::name).orElse("none");
        }

        @WithLock("{@tenants.current()}:{#order.customer}:{#p0.id}:{#root.method.name}:{{x}}:${job.suffix}")
        public String named(Order order) {
            return held();
        }

        @WithLock("list:{#ids}")
        public String ofArray(long[] ids) {
            return held();
        }

        @WithLock("account:{#from}")
        @WithLock("account:{#to}")
        public String transfer(int from, int to) {
            return held();
        }

        @Guarded("meta:{#id}")
        public void meta(int id) {
            runs.incrementAndGet();
        }

        @WithLock(name = "pool", kind = LockKind.SEMAPHORE, capacity = 2, onBusy = OnBusy.THROW)
        public void pooled(Runnable inside) {
            inside.run();
        }

        @WithLock(name = "table", kind = LockKind.READ, onBusy = OnBusy.THROW)
        public void read(Runnable inside) {
            inside.run();
        }

        @WithLock(name = "table", kind = LockKind.WRITE, onBusy = OnBusy.THROW)
        public void write(Runnable inside) {
            inside.run();
        }

        @Scheduled(fixedDelay = 100_000)
        @WithLock("job")
        public void job() {
            runs.incrementAndGet();
        }

        @WithLock(name = "daily", onBusy = OnBusy.SKIP, atLeast = "1m")
        public String daily() {
            runs.incrementAndGet();
            return "done";
        }

        @WithLock(name = "patient", waitAtMost = "300ms")
        public void patient() {
            runs.incrementAndGet();
        }

        @WithLock("plain")
        public String enter(Supplier<String> inside) {
            return inside.get();
        }

        @WithLock("plain")
        public CompletableFuture<String> enterLater() {
            return CompletableFuture.completedFuture("never");
        }

        @WithLock(name = "interrupting", onLost = OnLost.INTERRUPT)
        public void interrupted(Runnable started) throws InterruptedException {
            started.run();
            new CountDownLatch(1).await();
        }

        @WithLock("plain")
        public Object undeclared() {
            return CompletableFuture.completedFuture("later");
        }

        @WithLock("mono")
        public Mono<String> mono(Mono<String> source) {
            runs.incrementAndGet();
            return source;
        }

        @WithLock(name = "flux", onBusy = OnBusy.SKIP)
        public Flux<Integer> flux(Flux<Integer> source) {
            runs.incrementAndGet();
            return source;
        }
    }

    @WithLock("class")
    static class Whole {
        public String one() {
            return Work.held();
        }

        @WithLock("own")
        public String two() {
            return Work.held();
        }
    }

    @Configuration
    @EnableHoldfastLocks
    static class Config {

        @Bean
        Holdfast holdfast() {
            return Holdfast.builder()
                    .uri("memory:calls")
                    .lease(Duration.ofSeconds(2))
                    .build();
        }

        @Bean
        Tenants tenants() {
            return new Tenants();
        }

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        Whole whole() {
            return new Whole();
        }
    }

    private AnnotationConfigApplicationContext context;
    private Holdfast other;
    private Work work;

    @BeforeEach
    void start() {
        context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("job.suffix", "end")));
        context.register(Config.class);
        context.refresh();
        other = Holdfast.connect("memory:calls");
        work = context.getBean(Work.class);
    }

    @AfterEach
    void stop() {
        context.close();
        other.list("").forEach(state -> other.forceUnlock(state.name()));
        other.close();
    }

    private static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("in time: " + what).isNegative();
            Thread.sleep(2);
        }
    }

    private boolean locked(String name) {
        return other.inspect(name).isLocked();
    }

    @Test
    @DisplayName("has the name that parameters, beans, the root and placeholders give")
    void name() {
        assertThat(work.named(new Order(7, "bob"))).isEqualTo("acme:bob:7:named:{x}:end");
        assertThatThrownBy(() -> work.named(new Order(7, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty text");
        assertThatThrownBy(() -> work.named(new Order(7, null))).hasMessageContaining("null");
        assertThatThrownBy(() -> work.ofArray(new long[] {1})).hasMessageContaining("long[]");
    }

    @Test
    @DisplayName("takes several locks at once, and one of them where two names are the same")
    void several() {
        assertThat(work.transfer(1, 2)).isEqualTo("[account:1, account:2]");
        assertThat(work.transfer(3, 3)).isEqualTo("account:3");
    }

    @Test
    @DisplayName("is described by an annotation that is composed, or on the class")
    void metaAndClass() throws Exception {
        try (Lease lease = other.lock("meta:1").acquire()) {
            assertThatThrownBy(() -> work.meta(1)).isInstanceOf(LockBusyException.class);
            assertThat(lease.isValid()).isTrue();
        }
        work.meta(1);
        Whole whole = context.getBean(Whole.class);
        assertThat(whole.one()).isEqualTo("class");
        assertThat(whole.two()).isEqualTo("own");
    }

    @Test
    @DisplayName("shares with readers and takes permits")
    void kinds() {
        work.read(() -> {
            assertThat(other.readWriteLock("table").readLock().tryLock()).isTrue();
            other.readWriteLock("table").readLock().unlock();
            assertThat(other.readWriteLock("table").writeLock().tryLock()).isFalse();
        });
        work.write(() ->
                assertThat(other.readWriteLock("table").readLock().tryLock()).isFalse());
        work.pooled(() -> work.pooled(() -> {
            assertThat(other.semaphore("pool", 2).availablePermits()).isZero();
            assertThatThrownBy(() -> work.pooled(() -> {})).isInstanceOf(LockBusyException.class);
        }));
        assertThat(other.semaphore("pool", 2).availablePermits()).isEqualTo(2);
    }

    @Test
    @DisplayName("is skipped for a job that runs elsewhere, and waits for no longer than it may")
    void busy() throws Exception {
        try (Lease job = other.lock("job").acquire();
                Lease patient = other.lock("patient").acquire()) {
            work.job();
            assertThatThrownBy(work::patient)
                    .isInstanceOf(LockBusyException.class)
                    .hasMessageContaining("within 300 ms");
            assertThat(work.runs()).isZero();
            assertThat(job.isValid() && patient.isValid()).isTrue();
        }
        work.job();
        work.patient();
        assertThat(work.runs()).isEqualTo(2);
    }

    @Test
    @DisplayName("keeps a lock for its least time, for the same thread and beyond its context")
    void atLeast() {
        assertThat(work.daily()).isEqualTo("done");
        assertThat(work.daily()).isNull();
        context.close();
        assertThat(locked("daily")).isTrue();
        assertThat(other.lock("daily").remainTimeToLive()).isGreaterThan(20_000);
    }

    @Test
    @DisplayName("enters a lock of its thread again, and refuses to wait for itself")
    void reentry() {
        assertThat(work.enter(() -> work.enter(() -> "inside"))).isEqualTo("inside");
        assertThatThrownBy(() -> work.enter(() -> work.enterLater().join()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in vain");
        assertThat(locked("plain")).isFalse();
        assertThatThrownBy(work::undeclared)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("declare that type");
    }

    @Test
    @DisplayName("does not begin under a lock that the thread has lost")
    void nestedLoss() {
        AtomicInteger nested = new AtomicInteger();
        assertThatThrownBy(() -> work.enter(() -> {
                    lose("plain");
                    return work.enter(() -> "ran " + nested.incrementAndGet());
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(nested).hasValue(0);
        assertThat(locked("plain")).isFalse();
    }

    private void lose(String name) {
        other.forceUnlock(name);
        assertThatThrownBy(() -> LockTemplate.currentLease().orElseThrow().extend(SOON))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("is interrupted by a loss where that is asked for, and leaves no interrupt behind")
    void interrupt() {
        assertThatThrownBy(() -> work.interrupted(() -> other.forceUnlock("interrupting")))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    @DisplayName("holds the lock from the subscription of a Mono to its end, each time")
    void mono() throws Exception {
        Sinks.One<String> source = Sinks.one();
        Mono<String> call = work.mono(source.asMono());
        assertThat(locked("mono")).isFalse();
        assertThat(work.runs()).isZero();
        CompletableFuture<String> result = call.toFuture();
        until("it runs", () -> work.runs() == 1);
        assertThat(locked("mono")).isTrue();
        source.tryEmitValue("done");
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(locked("mono")).isFalse();
        assertThat(call.block(SOON)).isEqualTo("done");
        assertThat(work.runs()).isEqualTo(2);
        assertThatThrownBy(() -> work.mono(Mono.error(new IllegalArgumentException("no")))
                        .block(SOON))
                .hasMessage("no");
        until("free after a failure", () -> !locked("mono"));
        assertThatThrownBy(() -> work.mono(work.mono(Mono.just("nested"))).block(SOON))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in vain");
        until("free after a refusal", () -> !locked("mono"));
    }

    @Test
    @DisplayName("gives the lock back when a Flux is cancelled, while it waits as well")
    void cancelled() throws Exception {
        Disposable running = work.flux(Flux.never()).subscribe();
        until("it runs", () -> work.runs() == 1);
        assertThat(work.flux(Flux.just(1)).collectList().block(SOON)).isEmpty();
        running.dispose();
        until("free", () -> !locked("flux"));
        assertThat(work.flux(Flux.range(0, 5)).collectList().block(SOON)).isEqualTo(List.of(0, 1, 2, 3, 4));
        until("free again", () -> !locked("flux"));

        try (Lease lease = other.lock("mono").acquire()) {
            Disposable waiting = work.mono(Mono.just("late")).subscribe();
            until("it waits", () -> !other.inspect("mono").waiters().isEmpty());
            waiting.dispose();
            until("it has left", () -> other.inspect("mono").waiters().isEmpty());
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(locked("mono")).isFalse();
    }

    @Test
    @DisplayName("fails a Flux whose lock is lost, and cancels its source")
    void reactiveLoss() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<List<Integer>> result = work.flux(
                        Flux.<Integer>never().doOnCancel(cancelled::countDown))
                .collectList()
                .toFuture();
        until("it runs", () -> work.runs() == 1);
        other.forceUnlock("flux");
        assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
