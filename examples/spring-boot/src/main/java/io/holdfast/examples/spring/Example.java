package io.holdfast.examples.spring;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Starts two instances, sends the same orders to both, kills one in the middle, and counts. Ends with 0 if each seat was sold exactly
 * once and the job ran once.
 */
public final class Example {

    private static final int SEATS = 40;
    private static final int BUYERS = 4;

    private final PrintStream out;

    Example(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        System.exit(new Example(System.out).run() ? 0 : 1);
    }

    private record Order(int seat, String buyer) {}

    boolean run() throws Exception {
        Path folder = Files.createTempDirectory("holdfast-example");
        out.println("Starting two instances of a box office, on one H2 file…");
        try (Instance first = Instance.start("first", folder);
                Instance second = Instance.start("second", folder)) {
            out.println("  " + first.url() + "/actuator/holdfast, /actuator/metrics, /actuator/health");
            out.println("  " + second.url() + "/actuator/…");
            return sell(first, second);
        } finally {
            delete(folder);
        }
    }

    private boolean sell(Instance first, Instance second) throws Exception {
        List<Order> orders = new ArrayList<>();
        for (int seat = 1; seat <= SEATS; seat++) {
            for (int buyer = 1; buyer <= BUYERS; buyer++) {
                orders.add(new Order(seat, "buyer-" + buyer));
            }
        }
        Collections.shuffle(orders, new Random(1));
        out.printf(
                "Sending %d orders for %d seats to both, and killing one instance in the middle…%n",
                orders.size(), SEATS);

        ConcurrentSkipListMap<Integer, List<String>> sold = new ConcurrentSkipListMap<>();
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger repeated = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(16);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (Order order : orders) {
                all.add(clients.submit(() -> {
                    int number = sent.incrementAndGet();
                    if (number == orders.size() / 2) {
                        second.kill();
                        out.println("  killed " + second.name() + " after " + number + " orders were sent");
                    }
                    if (order(number % 2 == 0 ? second : first, first, order, repeated)) {
                        sold.computeIfAbsent(order.seat(), seat -> Collections.synchronizedList(new ArrayList<>()))
                                .add(order.buyer());
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            out.println("An order failed: " + e.getCause());
            return false;
        } finally {
            clients.shutdownNow();
        }

        String report = first.get("/report").body();
        out.printf("  %d orders were repeated at %s%n", repeated.get(), first.name());
        out.println("  " + report);
        boolean once = sold.size() == SEATS && sold.values().stream().allMatch(buyers -> buyers.size() == 1);
        boolean recorded = has(report, "SALES", SEATS) && has(report, "SEATS", SEATS);
        boolean job = has(report, "RUNS", 1);
        boolean measured = measured(first);
        out.println(
                once && recorded
                        ? "Each of the " + SEATS + " seats was sold once."
                        : "Seats were not sold exactly once: " + sold);
        out.println(job ? "The job of both instances ran once." : "The job did not run exactly once.");
        out.println(measured ? "Its meters show the locks." : "There are no meters of the locks.");
        return once && recorded && job && measured;
    }

    /** Whether the instance that lives has counted holds, among the meters that Actuator shows. */
    private boolean measured(Instance instance) throws IOException, InterruptedException {
        HttpResponse<String> meter = instance.get("/actuator/metrics/holdfast.lock.hold");
        if (meter.statusCode() != 200) {
            return false;
        }
        out.println("  " + meter.body());
        return meter.body().matches("(?s).*\"COUNT\",\\s*\"value\":\\s*[1-9].*");
    }

    private static boolean has(String report, String key, int value) {
        return report.matches("(?is).*\"" + key + "\"\\s*:\\s*" + value + "\\b.*");
    }

    /** Sends the order, and to the instance that lives if the other one does not answer. */
    private boolean order(Instance to, Instance alive, Order order, AtomicInteger repeated)
            throws IOException, InterruptedException {
        String path = "/orders?seat=" + order.seat() + "&buyer=" + order.buyer();
        HttpResponse<String> answer;
        try {
            answer = to.post(path);
        } catch (IOException e) {
            if (to == alive) {
                throw e;
            }
            repeated.incrementAndGet();
            answer = alive.post(path);
        }
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + answer.body());
        }
        return answer.body().equals("sold");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
