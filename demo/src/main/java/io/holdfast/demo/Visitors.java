package io.holdfast.demo;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import java.time.Duration;

/** The visitors of a worker: each is a thread that does one command. */
final class Visitors {

    /** What a visitor is to do. */
    private interface Task {
        void run(Visitor visitor) throws InterruptedException;
    }

    private final Settings settings;
    private final Holdfast holdfast;
    private final Logbook logbook;
    private int number;

    Visitors(Settings settings, Holdfast holdfast, Logbook logbook) {
        this.settings = settings;
        this.holdfast = holdfast;
        this.logbook = logbook;
    }

    void start(String... command) {
        Task task = switch (command[0]) {
            case "read-write" -> {
                var lock = holdfast.readWriteLock(
                        name("prices"), LockOptions.defaults().fair());
                yield visitor -> visitor.readAndWrite(lock, Duration.parse(command[1]), Integer.parseInt(command[2]));
            }
            case "permits" -> {
                var semaphore = holdfast.semaphore(name("slots"), Integer.parseInt(command[2]));
                yield visitor -> visitor.takePermits(semaphore, Duration.parse(command[1]));
            }
            case "count-down" -> {
                var latch = holdfast.latch(name("latch"));
                yield visitor -> visitor.countDown(latch, Duration.parse(command[1]), Integer.parseInt(command[2]));
            }
            case "queue" -> {
                var lock = holdfast.fairLock(name("queue"));
                yield visitor -> visitor.queue(lock);
            }
            default -> throw new IllegalArgumentException(command[0]);
        };
        Visitor visitor = new Visitor(settings.name() + "/" + ++number, logbook);
        Thread thread = new Thread(() -> run(task, visitor), "visitor-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Task task, Visitor visitor) {
        try {
            task.run(visitor);
            Report.say("done");
        } catch (InterruptedException | RuntimeException e) {
            Report.say("failed", e);
        }
    }

    private String name(String name) {
        return settings.prefix() + name;
    }
}
