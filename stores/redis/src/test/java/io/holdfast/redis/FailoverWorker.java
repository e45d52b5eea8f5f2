package io.holdfast.redis;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A process of {@link FailoverTest}: some threads take and give back a few locks, and write down from when to when they
 * believed to have each. The monotonic clock is the machine's, so what several processes wrote can be compared.
 *
 * <p>Arguments: {@code holdfast} or {@code redisson}, where, the file, in milliseconds the lease and the longest hold, how
 * many threads, and which part of the holds is renewed, in percent: the others end by themselves.
 */
final class FailoverWorker {

    static final int NAMES = 8;
    private static final Duration WAIT = Duration.ofMillis(400);

    private final BufferedWriter log;

    private final long longestHold;
    private final int renewed;

    private FailoverWorker(Path file, long longestHold, int renewed) throws IOException {
        this.log = Files.newBufferedWriter(file);
        this.longestHold = longestHold;
        this.renewed = renewed;
    }

    private boolean isRenewed() {
        return ThreadLocalRandom.current().nextInt(100) < renewed;
    }

    /** Takes a lock, says for how long it was believed to be held, and whether its loss was told. */
    private interface Visit {
        void visit(String name, long holdNanos) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        FailoverWorker worker =
                new FailoverWorker(Path.of(args[2]), Long.parseLong(args[4]), Integer.parseInt(args[6]));
        Duration lease = Duration.ofMillis(Long.parseLong(args[3]));
        Visit visit = args[0].equals("holdfast") ? worker.holdfast(args[1], lease) : worker.redisson(args[1], lease);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[5]); i++) {
            Thread thread = new Thread(() -> worker.work(args[0], visit));
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        System.out.println("started");
        while (System.in.read() >= 0) {
            worker.flush();
            System.out.println("written");
        }
        worker.flush();
        Runtime.getRuntime().halt(0);
    }

    private void work(String library, Visit visit) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (true) {
            String name = library + ":" + random.nextInt(NAMES);
            long hold = random.nextInt(5) == 0 ? random.nextLong(500, longestHold) : random.nextLong(1, 20);
            try {
                visit.visit(name, TimeUnit.MILLISECONDS.toNanos(hold));
            } catch (Exception e) {
                write("failed " + library + " " + e.getClass().getSimpleName());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1, 10)));
        }
    }

    private Visit holdfast(String uri, Duration lease) {
        Holdfast holdfast = Holdfast.builder()
                .uri(uri)
                .lease(lease)
                .timeout(Duration.ofSeconds(3))
                .build();
        return (name, holdNanos) -> {
            DistributedLock lock = holdfast.lock(name);
            boolean byHandle = isRenewed();
            Lease held =
                    byHandle ? lock.tryAcquire(WAIT).orElse(null) : lock.tryLock(WAIT, lease) ? lock.lease() : null;
            if (held == null) {
                return;
            }
            long from = System.nanoTime();
            long believed = from;
            while (System.nanoTime() - from < holdNanos) {
                long before = System.nanoTime();
                if (!held.isValid()) {
                    break;
                }
                believed = before;
                LockSupport.parkNanos(500_000);
            }
            boolean lost = !held.isValid();
            write("held " + name + " " + from + " " + believed + " " + (lost ? "lost" : "ok") + " " + held.token());
            try {
                if (byHandle) {
                    held.close();
                } else {
                    lock.unlock();
                }
            } catch (LeaseLostException e) {
                write("failed holdfast at-close:" + reason(e));
            } catch (HoldfastException e) {
                write("failed holdfast " + e.getClass().getSimpleName());
            }
        };
    }

    /** What its message says of the reason, as one word. */
    private static String reason(LeaseLostException e) {
        return e.getMessage().replaceAll("^.*?: |;.*$", "").replace(' ', '-');
    }

    private Visit redisson(String addresses, Duration lease) {
        Config config = new Config();
        config.setLockWatchdogTimeout(lease.toMillis());
        if (addresses.startsWith("cluster,")) {
            for (String address : addresses.split(",")) {
                if (address.contains(":")) {
                    config.useClusterServers()
                            .addNodeAddress("redis://" + address)
                            .setScanInterval(500);
                }
            }
        } else {
            config.useSentinelServers().setMasterName(SentinelServers.MASTER).setScanInterval(500);
            for (String address : addresses.split(",")) {
                config.useSentinelServers().addSentinelAddress("redis://" + address);
            }
        }
        RedissonClient redisson = Redisson.create(config);
        return (name, holdNanos) -> {
            RLock lock = redisson.getLock(name);
            boolean isRenewed = isRenewed();
            if (!lock.tryLock(WAIT.toMillis(), isRenewed ? -1 : lease.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            long from = System.nanoTime();
            LockSupport.parkNanos(isRenewed ? holdNanos : Math.min(holdNanos, lease.toNanos() * 9 / 10));
            // Nothing tells a Redisson holder of a loss: it believes until it unlocks.
            write("held " + name + " " + from + " " + System.nanoTime() + " ok 0");
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException e) {
                write("failed redisson lost-at-unlock");
            }
        };
    }

    private void write(String line) {
        synchronized (log) {
            try {
                log.write(line + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void flush() throws IOException {
        synchronized (log) {
            log.flush();
        }
    }
}
