package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a machine with nothing else to do: {@code -Dholdfast.speed=true}, and {@code -Dholdfast.clients=2,10,30}. */
@DisplayName("Of clients that contend for one lock, each with connections of its own and one thread,")
@EnabledIfSystemProperty(named = "holdfast.speed", matches = "true")
@Isolated("measures")
class FleetSpeedTest {

    private static final Duration HOLD = Duration.ofMillis(2);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration RUN = Duration.ofSeconds(6);

    /** The share of the holds of the smallest fleet that the largest one has at least. */
    private static final double LEAST = 0.8;

    @ParameterizedTest
    @EnumSource
    @DisplayName("thirty have nearly as many holds in a second as two, and each gets its turns")
    void costsTheSame(TestDatabase database) throws Exception {
        assumeTrue(System.getProperty("db", database.name()).equals(database.name()));
        for (boolean fair : new boolean[] {false, true}) {
            if (!System.getProperty("holdfast.locks", "plain,fair").contains(fair ? "fair" : "plain")) {
                continue;
            }
            List<Long> rates = new ArrayList<>();
            for (String clients :
                    System.getProperty("holdfast.clients", "2,10,30").split(",")) {
                rates.add(run(database, Integer.parseInt(clients), fair));
            }
            assertThat((double) rates.get(rates.size() - 1)).isGreaterThanOrEqualTo(LEAST * rates.get(0));
        }
    }

    private static long run(TestDatabase database, int clients, boolean fair) throws Exception {
        BiFunction<Holdfast, String, Lock> lock = fair ? Holdfast::fairLock : Holdfast::lock;
        String name = "speed:" + fair + ":" + clients;
        List<Holdfast> fleet = new ArrayList<>();
        List<Client> all = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                Holdfast one = Holdfast.connect(database.uri());
                fleet.add(one);
                all.add(new Client(lock.apply(one, name)));
            }
            all.forEach(Thread::start);
            TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
            all.forEach(client -> client.counts = true);
            long start = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(RUN.toNanos());
            all.forEach(client -> client.counts = false);
            long took = System.nanoTime() - start;
            all.forEach(client -> client.enough = true);
            for (Client client : all) {
                client.join();
            }
            long[] holds = all.stream().mapToLong(client -> client.holds).toArray();
            long rate = Arrays.stream(holds).sum() * 1_000_000_000L / took;
            System.out.printf(
                    "# %s, %s lock, %d clients: %d holds/s, fewest %d, most %d, longest wait %d ms%n",
                    database,
                    fair ? "fair" : "plain",
                    clients,
                    rate,
                    Arrays.stream(holds).min().orElse(0),
                    Arrays.stream(holds).max().orElse(0),
                    all.stream().mapToLong(client -> client.longest).max().orElse(0) / 1_000_000);
            return rate;
        } finally {
            fleet.forEach(Holdfast::close);
        }
    }

    private static final class Client extends Thread {

        private final Lock lock;
        private volatile boolean counts;
        private volatile boolean enough;
        private long holds;
        private long longest;

        Client(Lock lock) {
            this.lock = lock;
        }

        @Override
        public void run() {
            while (!enough) {
                long asked = System.nanoTime();
                lock.lock();
                try {
                    if (counts) {
                        holds++;
                        longest = Math.max(longest, System.nanoTime() - asked);
                    }
                    LockSupport.parkNanos(HOLD.toNanos());
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
