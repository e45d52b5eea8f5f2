package io.holdfast.tck;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.LockListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process that takes locks as it is told, line by line: one command on standard input, one answer on standard output,
 * and in between what happened meanwhile ({@code waiting}, {@code told}). It ends with its input.
 */
public final class Worker {

    private final Holdfast holdfast;

    private Worker(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** The arguments: the store's URI, and the watchdog's lease in milliseconds. */
    public static void main(String[] args) throws Exception {
        Holdfast holdfast = Holdfast.builder()
                .uri(args[0])
                .lease(Duration.ofMillis(Long.parseLong(args[1])))
                .timeout(Duration.ofSeconds(20)) // several JVMs start at once on a small machine
                .listener(new LockListener() {
                    @Override
                    public void waiting(String name) {
                        say("waiting");
                    }
                })
                .build();
        Worker worker = new Worker(holdfast);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        holdfast.inspect("warm-up");
        say("ready");
        @Nullable String line;
        while ((line = commands.readLine()) != null) {
            String answer;
            try {
                answer = worker.run(line.split(" "));
            } catch (LeaseLostException e) {
                answer = "lost";
            } catch (HoldfastException | ExecutionException e) {
                answer = "failed " + e;
            }
            say(answer);
        }
        // No close: a process that ends in the middle is what is tested.
        Runtime.getRuntime().halt(0);
    }

    private String run(String[] words) throws Exception {
        return switch (words[0]) {
            case "lock" -> {
                DistributedLock lock = holdfast.lock(words[1]);
                lock.lock();
                yield granted(lock);
            }
            case "try" -> {
                DistributedLock lock = holdfast.lock(words[1]);
                yield lock.tryLock(Long.parseLong(words[2]), TimeUnit.MILLISECONDS) ? granted(lock) : "busy";
            }
            case "unlock" -> {
                holdfast.lock(words[1]).unlock();
                yield "unlocked";
            }
            case "held" -> holdfast.lock(words[1]).isHeldByCurrentThread() ? "held" : "not-held";
            case "count" -> {
                count(words[1], Path.of(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4]));
                yield "counted";
            }
            case "exit" -> {
                System.exit(0);
                yield "";
            }
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static String granted(DistributedLock lock) {
        lock.lease().onLost(lost -> say("told"));
        return "granted " + lock.lease().token();
    }

    private void count(String name, Path file, int threads, int rounds) throws Exception {
        List<FutureTask<Void>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            FutureTask<Void> counting = new FutureTask<>(() -> {
                DistributedLock lock = holdfast.lock(name);
                for (int i = 0; i < rounds; i++) {
                    lock.lock();
                    try {
                        increment(file);
                    } finally {
                        lock.unlock();
                    }
                }
                return null;
            });
            all.add(counting);
            new Thread(counting, "counter-" + t).start();
        }
        for (FutureTask<Void> counting : all) {
            counting.get();
        }
    }

    /** Reads, pauses, and writes: whoever is not alone loses an update. */
    private static void increment(Path file) throws IOException {
        long seen = Long.parseLong(Files.readString(file).trim());
        LockSupport.parkNanos(100_000);
        // Of one length, and written in one go over the old, so that nobody reads half a number.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("%010d".formatted(seen + 1).getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
