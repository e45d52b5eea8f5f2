package io.holdfast.examples.metrics;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.micrometer.HoldfastMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Two clients contend for a few locks, one request gives up and one lease is lost. In the end stands what Prometheus would read. Another
 * store: {@code ./holdfast example metrics redis://127.0.0.1:6379}.
 */
public final class Main {

    private static final int THREADS = 8;
    private static final int ROUNDS = 50;

    private Main() {}

    /**
     * Runs it, and prints the scrape.
     *
     * @param arguments the URI of a store, or nothing for one in memory
     */
    public static void main(String[] arguments) throws Exception {
        String uri = arguments.length > 0 ? arguments[0] : "memory:" + UUID.randomUUID();
        System.out.println(run(uri));
    }

    /** Runs it, and returns the scrape. */
    static String run(String uri) throws InterruptedException, ExecutionException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        // "orders" of "orders:42": three values at most, since every value is a time series.
        HoldfastMetrics metrics = HoldfastMetrics.builder()
                .lockTag(name -> name.substring(0, name.indexOf(':')), 3)
                .build();
        metrics.bindTo(registry);
        try (Holdfast holdfast = Holdfast.builder().uri(uri).listener(metrics).build();
                Holdfast other = Holdfast.connect(uri)) {
            work(holdfast, other);
            giveUp(holdfast, other);
            lose(holdfast);
            awaitEvents(registry);
            return registry.scrape();
        }
    }

    private static void work(Holdfast holdfast, Holdfast other) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                DistributedLock lock = (i % 2 == 0 ? holdfast : other).lock("orders:" + i / 4);
                all.add(pool.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        lock.withLock(() -> sleep(1));
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static Void sleep(long millis) throws InterruptedException {
        Thread.sleep(millis);
        return null;
    }

    /** A request that times out. */
    private static void giveUp(Holdfast holdfast, Holdfast other) throws InterruptedException {
        try (Lease taken = other.lock("report:daily").acquire()) {
            if (holdfast.lock("report:daily").tryLock(100, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("two hold the lock: " + taken);
            }
        }
    }

    /** A lease that ends before it is given back. */
    private static void lose(Holdfast holdfast) throws InterruptedException {
        Lease lease = holdfast.lock("import:nightly").acquire(Duration.ofMillis(200));
        while (lease.isValid()) {
            Thread.sleep(10);
        }
    }

    /** Meters follow events a moment later. */
    private static void awaitEvents(PrometheusMeterRegistry registry) throws InterruptedException {
        while (registry.get("holdfast.lock.hold").timers().stream()
                        .mapToLong(timer -> timer.count())
                        .sum()
                < THREADS / 2 * ROUNDS + 1) {
            Thread.sleep(10);
        }
    }
}
