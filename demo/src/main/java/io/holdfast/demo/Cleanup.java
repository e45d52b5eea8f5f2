package io.holdfast.demo;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what was opened, last first, once: at the end of the demo, or on Ctrl-C by a shutdown hook. */
final class Cleanup implements AutoCloseable {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private volatile boolean stopped;
    private boolean closed;

    Cleanup() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "cleanup"));
    }

    /** Whether it was stopped from outside: then everything fails, and the failures are not reported. */
    boolean isStopped() {
        return stopped;
    }

    private void stop() {
        stopped = true;
        close();
    }

    synchronized void add(AutoCloseable resource) {
        if (closed) {
            close(resource); // started while the demo was being stopped
        } else {
            open.push(resource);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!open.isEmpty()) {
            close(open.pop());
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            System.err.println("could not clean up: " + e);
        }
    }
}
