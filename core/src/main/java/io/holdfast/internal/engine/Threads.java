package io.holdfast.internal.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The threads of a client: one for its timers, and callback threads while there is something to call. */
final class Threads {

    private static final @Nullable Virtual VIRTUAL = Virtual.find();

    /** Whether callbacks run in threads that cost next to nothing. */
    static final boolean ARE_VIRTUAL = VIRTUAL != null;

    private Threads() {}

    @SuppressWarnings("deprecation") // threadId() is Java 19; a thread class that overrides getId() is on its own
    static long id(Thread thread) {
        return thread.getId();
    }

    static ScheduledThreadPoolExecutor timer(String client) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("holdfast-timer-" + client));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    /**
     * As many as there are callbacks at once: one that blocks must not hold up the next. Virtual ones where these don't pin
     * the thread below them in a synchronized block, which is so from Java 24 on.
     */
    static ExecutorService callbacks(String client) {
        String prefix = "holdfast-callback-" + client;
        return VIRTUAL == null ? platform(prefix) : VIRTUAL.executor(prefix + "-");
    }

    /** What there is from Java 21 on, found at run time. */
    private record Virtual(MethodHandle builder, MethodHandle name, MethodHandle factory, MethodHandle executor) {

        static @Nullable Virtual find() {
            if (Runtime.version().feature() < 24) {
                return null;
            }
            try {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                Class<?> builder = Class.forName("java.lang.Thread$Builder");
                Class<?> virtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
                return new Virtual(
                        lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(virtual)),
                        lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class, long.class)),
                        lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class)),
                        lookup.findStatic(
                                Executors.class,
                                "newThreadPerTaskExecutor",
                                MethodType.methodType(ExecutorService.class, ThreadFactory.class)));
            } catch (ReflectiveOperationException e) {
                return null;
            }
        }

        ExecutorService executor(String prefix) {
            try {
                Object named = name.invoke(builder.invoke(), prefix, 1L);
                return (ExecutorService) executor.invoke((ThreadFactory) factory.invoke(named));
            } catch (Throwable e) {
                throw new IllegalStateException("no virtual threads, though this Java has them", e);
            }
        }
    }

    private static ExecutorService platform(String prefix) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), named(prefix));
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
