package io.holdfast.tck;

import io.holdfast.Candidacy;
import io.holdfast.Candidate;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Leadership;
import io.holdfast.LeaseLostException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A process that takes locks as it is told, line by line: one command on standard input, one answer on standard output,
 * and in between what happened meanwhile ({@code waiting}, {@code told}, {@code served}). It ends with its input.
 *
 * <p>{@code connect LEASE-MILLIS URI} comes first, and is answered with {@code ready}; after {@code disconnect} the process
 * can connect anew. Any other command is a word, the name of the lock, and what belongs to it. Where a lock is meant, the last
 * word may say of which kind; see {@link #lock}.
 */
public final class Worker {

    private final Holdfast holdfast;
    private final AtomicInteger turns = new AtomicInteger();
    private final Map<String, Candidacy> candidacies = new HashMap<>();
    private volatile boolean silent;

    private Worker(Duration lease, String uri) {
        holdfast = Holdfast.builder()
                .uri(uri)
                .lease(lease)
                .timeout(Duration.ofSeconds(20)) // several JVMs start at once on a small machine
                .listener(new LockListener() {
                    @Override
                    public void waiting(LockEvent.Waiting event) {
                        say("waiting");
                    }
                })
                .build();
        holdfast.inspect("warm-up");
    }

    /** No arguments: the first command says where to connect. */
    public static void main(String[] args) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        @Nullable Worker worker = null;
        @Nullable String line;
        while ((line = commands.readLine()) != null) {
            if (worker == null) {
                worker = connect(line);
            } else if (!line.equals("disconnect")) {
                worker.answer(line);
            } else if (worker.disconnects()) {
                worker = null;
            }
        }
        // No close: a process that ends in the middle is what is tested.
        Runtime.getRuntime().halt(0);
    }

    private static @Nullable Worker connect(String line) {
        String[] words = line.split(" ", 3);
        try {
            Worker worker = new Worker(Duration.ofMillis(Long.parseLong(words[1])), words[2]);
            worker.say("ready");
            return worker;
        } catch (HoldfastException e) {
            print("failed " + e);
            return null;
        }
    }

    /** Releases everything. Events after that are not reported. */
    private boolean disconnects() {
        if (turns.get() > 0) {
            say("busy");
            return false;
        }
        silent = true;
        holdfast.close();
        print("disconnected");
        return true;
    }

    private void answer(String line) throws Exception {
        String answer;
        try {
            answer = run(new Command(List.of(line.split(" "))));
        } catch (LeaseLostException e) {
            answer = "lost";
        } catch (HoldfastException | ExecutionException e) {
            answer = "failed " + e;
        }
        say(answer);
    }

    /** The words of a line: what to do, a name, and what belongs to it. */
    private record Command(List<String> words) {

        String verb() {
            return words.get(0);
        }

        String name() {
            return words.get(1);
        }

        String word(int i) {
            return words.get(2 + i);
        }

        int number(int i) {
            return Integer.parseInt(word(i));
        }

        /** The word at that index, or {@code plain}. */
        String kindAfter(int others) {
            return words.size() > 2 + others ? word(others) : "plain";
        }
    }

    private String run(Command command) throws Exception {
        return switch (command.verb()) {
            case "lock", "try", "unlock", "held", "turn", "contend" -> runLock(command);
            case "count", "read-write" -> runCount(command);
            case "acquire", "release", "visit" -> runSemaphore(command);
            case "count-down", "await" -> runLatch(command);
            case "lead", "leading", "resign" -> runElection(command);
            case "exit" -> {
                System.exit(0);
                yield "";
            }
            default -> throw new IllegalArgumentException(command.verb());
        };
    }

    private DistributedLock lock(String name, String kind) {
        return switch (kind) {
            case "plain" -> holdfast.lock(name);
            case "fair" -> holdfast.fairLock(name);
            case "read" -> holdfast.readWriteLock(name).readLock();
            case "write" -> holdfast.readWriteLock(name).writeLock();
            case "multi" -> Holdfast.multiLock(holdfast.lock(name), holdfast.lock(name + ":other"));
            case "multi-reversed" -> Holdfast.multiLock(holdfast.lock(name + ":other"), holdfast.lock(name));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    // ---- locks ------------------------------------------------------------------------------------------------

    private String runLock(Command command) throws Exception {
        switch (command.verb()) {
            case "lock" -> {
                DistributedLock lock = lock(command.name(), command.kindAfter(0));
                lock.lock();
                return granted(lock);
            }
            case "try" -> {
                DistributedLock lock = lock(command.name(), command.kindAfter(1));
                return lock.tryLock(command.number(0), TimeUnit.MILLISECONDS) ? granted(lock) : "busy";
            }
            case "unlock" -> {
                lock(command.name(), command.kindAfter(0)).unlock();
                return "unlocked";
            }
            case "turn" -> {
                policy(lock(command.name(), command.kindAfter(2)), Path.of(command.word(0)), command.word(1));
                return "begun";
            }
            case "contend" -> {
                return "won " + contend(lock(command.name(), command.kindAfter(1)), command.number(0));
            }
            default -> {
                return lock(command.name(), command.kindAfter(0)).isHeldByCurrentThread() ? "held" : "not-held";
            }
        }
    }

    /** How many threads get the lock, where all ask at once, and none waits; what is had is kept. */
    private static int contend(DistributedLock lock, int threads) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        AtomicInteger won = new AtomicInteger();
        inThreads(threads, 1, () -> {
            barrier.await();
            won.addAndGet(lock.tryAcquire(Duration.ZERO).isPresent() ? 1 : 0);
        });
        return won.get();
    }

    private String granted(DistributedLock lock) {
        lock.lease().onLost(lost -> say("told"));
        return "granted " + lock.lease().token();
    }

    /** Waits for the lock in a thread of its own, and writes to the file when it has it. */
    private void policy(DistributedLock lock, Path file, String text) {
        turns.incrementAndGet();
        Thread waiting = new Thread(
                () -> {
                    try {
                        lock.withLock(() -> Files.writeString(file, text + "\n", StandardOpenOption.APPEND));
                        say("served " + text);
                    } catch (Exception e) {
                        say("failed " + e);
                    } finally {
                        turns.decrementAndGet();
                    }
                },
                "turn-" + text);
        waiting.setDaemon(true);
        waiting.start();
    }

    // ---- elections --------------------------------------------------------------------------------------------

    private String runElection(Command command) {
        if (command.verb().equals("lead")) {
            Candidate candidate = new Candidate() {
                @Override
                public void granted(Leadership leadership) {
                    say("leads " + leadership.token());
                }

                @Override
                public void revoked(Leadership leadership) {
                    say(leadership.isValid() ? "revoked in-time" : "revoked late");
                }
            };
            candidacies.put(
                    command.name(),
                    holdfast.election(command.name()).withValue(command.word(0)).lead(candidate));
            return "begun";
        }
        Candidacy candidacy = Objects.requireNonNull(candidacies.get(command.name()));
        if (command.verb().equals("resign")) {
            candidacy.resign();
            return "resigned";
        }
        return candidacy.isLeading() ? "leading" : "not-leading";
    }

    // ---- counting ---------------------------------------------------------------------------------------------

    private String runCount(Command command) throws Exception {
        RacyFile file = new RacyFile(Path.of(command.word(0)));
        int threads = command.number(1);
        int rounds = command.number(2);
        if (command.verb().equals("count")) {
            DistributedLock lock = lock(command.name(), command.kindAfter(3));
            inThreads(threads, rounds, () -> underLock(lock, file::increment));
            return "counted";
        }
        AtomicInteger torn = new AtomicInteger();
        LockOptions options = LockOptions.defaults();
        DistributedReadWriteLock lock =
                holdfast.readWriteLock(command.name(), command.kindAfter(3).equals("fair") ? options.fair() : options);
        inThreads(threads, rounds, () -> {
            underLock(lock.writeLock(), file::increment);
            underLock(lock.readLock(), () -> torn.addAndGet(file.isWhole() ? 0 : 1));
        });
        return "torn " + torn;
    }

    private static void underLock(DistributedLock lock, Actor.Step step) throws Exception {
        lock.withLock(() -> {
            step.run();
            return true;
        });
    }

    private static void inThreads(int threads, int rounds, Actor.Step step) throws Exception {
        List<FutureTask<Void>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            FutureTask<Void> task = new FutureTask<>(() -> {
                for (int i = 0; i < rounds; i++) {
                    step.run();
                }
                return null;
            });
            all.add(task);
            new Thread(task, "worker-" + t).start();
        }
        for (FutureTask<Void> task : all) {
            task.get();
        }
    }

    // ---- semaphores and latches -------------------------------------------------------------------------------

    private String runSemaphore(Command command) throws Exception {
        DistributedSemaphore semaphore = holdfast.semaphore(command.name(), command.number(0));
        switch (command.verb()) {
            case "acquire" -> {
                semaphore.acquire(command.number(1));
                return "acquired";
            }
            case "release" -> {
                semaphore.release(command.number(1));
                return "released";
            }
            default -> {
                Room room = new Room(Path.of(command.word(1)));
                AtomicInteger most = new AtomicInteger();
                inThreads(command.number(2), command.number(3), () -> {
                    semaphore.acquire();
                    most.accumulateAndGet(room.visit(), Math::max);
                    semaphore.release();
                });
                return "most " + most;
            }
        }
    }

    private String runLatch(Command command) throws Exception {
        if (command.verb().equals("await")) {
            holdfast.latch(command.name()).await();
            return "open";
        }
        holdfast.latch(command.name()).countDown(command.word(0));
        return "counted-down";
    }

    private void say(String line) {
        if (!silent) {
            print(line);
        }
    }

    private static synchronized void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
