package io.holdfast.bench.stage;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what is open when the bench ends, last first; by a shutdown hook, so that Ctrl-C leaves nothing behind. */
public final class Cleanup implements AutoCloseable {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean stopped;

    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "cleanup"));
    }

    /** Whether everything has been closed from outside, so that whatever fails now is no news. */
    public synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void stop() {
        stopped = true;
        close();
    }

    synchronized <T extends AutoCloseable> T add(T resource) {
        if (stopped) {
            close(resource);
        } else {
            open.push(resource);
        }
        return resource;
    }

    synchronized void remove(AutoCloseable resource) {
        open.remove(resource);
    }

    @Override
    public synchronized void close() {
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
