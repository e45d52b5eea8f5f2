package io.holdfast.examples.leader;

import io.holdfast.Holdfast;
import io.holdfast.Leader;
import io.holdfast.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts three replicas, of which one leads. The leader is killed, the next one is paused, and the last one resigns; this process watches
 * who leads. The locks are in a file of its own; another store: {@code ./holdfast example leader redis://127.0.0.1:6379}.
 */
public final class Main {

    private static final long PATIENCE_SECONDS = 60;

    private final long start = System.nanoTime();
    private final BlockingQueue<Optional<Leader>> seen = new LinkedBlockingQueue<>();
    private final Map<String, Process> replicas = new LinkedHashMap<>();
    private final List<Leader> leaders = new ArrayList<>();

    private Main() {}

    /**
     * Runs it.
     *
     * @param arguments the URI of a store, or nothing for a file
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("holdfast-leader-");
        try {
            String uri =
                    arguments.length > 0 ? arguments[0] : "jdbc:h2:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE";
            run(uri);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    /** Runs it, and returns the leaders in their order. */
    static List<Leader> run(String uri) throws IOException, InterruptedException {
        Main main = new Main();
        // It opens the file before the replicas do, so that none of those that are killed and paused is the one that
        // serves it.
        try (Holdfast holdfast = Holdfast.builder().uri(uri).verify().build();
                Observation observation = holdfast.election(Replica.ELECTION).observe(main.seen::add)) {
            main.succession(uri);
        } finally {
            main.replicas.values().forEach(Process::destroyForcibly);
        }
        return main.leaders;
    }

    private void succession(String uri) throws IOException, InterruptedException {
        for (String name : List.of("red", "green", "blue")) {
            replicas.put(name, start(uri, name));
        }
        String first = next();
        say("kills " + first + ", which can't say anything any more: its lease of " + Replica.LEASE.toSeconds()
                + " s has to end");
        replica(first).destroyForcibly();

        String second = next();
        say("stops the process of " + second + " (SIGSTOP): to the others it is as good as dead");
        signal("STOP", second);
        String third = next();
        say("lets " + second + " go on: it is told that it leads no more");
        signal("CONT", second);

        say("has " + third + " end as it should: it resigns, and the next one leads at once");
        end(third);
        next();
        for (Process replica : replicas.values()) {
            replica.getOutputStream().close();
            if (!replica.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a replica has not ended");
            }
        }
        say("has seen " + leaders.size() + " leaders, each with a greater token than the one before");
    }

    /** Waits for another leader than the last one. */
    private String next() throws InterruptedException {
        while (true) {
            Optional<Leader> leader = seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (leader == null) {
                throw new IllegalStateException("no successor within " + PATIENCE_SECONDS + " s");
            }
            if (leader.isPresent() && isNew(leader.get())) {
                leaders.add(leader.get());
                say("sees that " + leader.get().value() + " leads, with token "
                        + leader.get().token());
                return String.valueOf(leader.get().value());
            }
        }
    }

    private boolean isNew(Leader leader) {
        long last = leaders.isEmpty() ? 0 : leaders.get(leaders.size() - 1).token();
        if (leader.token() < last) {
            throw new IllegalStateException("a token that does not rise: " + leader.token() + " after " + last);
        }
        return leader.token() > last;
    }

    private Process start(String uri, String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Replica.class.getName(),
                        uri,
                        name)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private Process replica(String name) {
        Process replica = replicas.get(name);
        if (replica == null) {
            throw new IllegalStateException(name + " leads, and is none of this example's replicas");
        }
        return replica;
    }

    private void signal(String signal, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(replica(name).pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    private void end(String name) throws IOException {
        replica(name).getOutputStream().close();
    }

    private void say(String what) {
        System.out.printf("%6.1f s  the example %s%n", (System.nanoTime() - start) / 1e9, what);
    }
}
