package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Clients with a connection and a thread each, which all want one lock, keep it for a moment, and want it again. */
final class ContendTask implements Task {

    private final Assignment assignment;
    private final Marks marks;
    private final long holdMicros;
    /** The lock as each client of this process has it. */
    private final List<Lock> locks = new ArrayList<>();

    ContendTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
        this.holdMicros = assignment.number(Assignment.HOLD_MICROS, 0);
    }

    @Override
    public void prepare() {
        long clients = assignment.number(Assignment.CLIENTS, 1);
        for (int client = assignment.process(); client < clients; client += assignment.processes()) {
            LockClient opened = assignment.openAlone();
            Warmth.of(assignment.lock(opened, 1 + client));
            locks.add(assignment.lock(opened, 0));
        }
    }

    @Override
    public Findings run(Window window) throws InterruptedException {
        List<Portion> portions = new ArrayList<>();
        Crowd crowd = new Crowd(locks.size(), client -> {
            Portion portion = new Portion(window);
            portions.add(portion);
            return () -> loop(client, window, portion);
        });
        crowd.start();
        crowd.join(window);
        return Portion.sum(portions).put(Findings.PROCESS, assignment.process());
    }

    private void loop(int client, Window window, Portion portion) throws InterruptedException {
        Lock lock = locks.get(client);
        long me = (assignment.process() + 1) * 1_000_000L + client;
        for (long asked = System.nanoTime(); !window.isOver(asked); asked = System.nanoTime()) {
            lock.lock();
            try {
                long taken = System.nanoTime();
                long entered = marks.enter(0, me);
                portion.add(asked, taken, marks.takeTurn(assignment.process()));
                if (holdMicros > 0) {
                    TimeUnit.MICROSECONDS.sleep(holdMicros);
                }
                marks.leave(0, me, entered);
            } finally {
                lock.unlock();
            }
        }
    }
}
