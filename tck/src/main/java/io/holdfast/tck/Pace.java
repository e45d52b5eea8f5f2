package io.holdfast.tck;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * How time goes on while a test waits. In real time the test sleeps. In simulated time it lets time pass, but not while one of
 * its threads is at work: what happens in which order does not depend on how busy the machine is.
 */
final class Pace {

    private static final Pace REAL = new Pace(null);

    /** That of the test to which a thread belongs. */
    private static final ThreadLocal<Pace> CURRENT = ThreadLocal.withInitial(() -> REAL);

    private static final Duration STEP = Duration.ofMillis(5);

    /**
     * A thread that was woken looks as if it slept until it runs. It has run when another slept this often and woke up: that
     * takes as long as the machine is loaded.
     */
    private static final int QUIET = 100;

    private final @Nullable SimulatedTime time;
    private final List<Actor> actors = new CopyOnWriteArrayList<>();

    private Pace(@Nullable SimulatedTime time) {
        this.time = time;
    }

    static Pace real() {
        return REAL;
    }

    static Pace of(SimulatedTime time) {
        return new Pace(time);
    }

    static Pace current() {
        return CURRENT.get();
    }

    /** The current thread belongs to this test from now on. */
    void begin() {
        CURRENT.set(this);
    }

    static void end() {
        CURRENT.remove();
    }

    void joins(Actor actor) {
        if (time != null) {
            actors.add(actor);
        }
    }

    @Nullable
    SimulatedTime simulated() {
        return time;
    }

    long nanos() {
        return time == null ? System.nanoTime() : time.nanos();
    }

    /** Lets that much time pass. */
    void pass(Duration duration) throws InterruptedException {
        if (time == null) {
            Thread.sleep(duration.toMillis());
        } else {
            time.pass(duration);
        }
    }

    /** Lets a little time pass. */
    void step() throws InterruptedException {
        if (time == null) {
            Thread.sleep(STEP.toMillis());
        } else if (time.pass(STEP) && isBusy()) {
            Thread.sleep(1);
        }
    }

    /** How often it has to be looked, once time has passed, to see what the threads of the test made of it. */
    int looks() {
        return time != null && isBusy() ? QUIET : 0;
    }

    private boolean isBusy() {
        return actors.stream().anyMatch(Actor::isBusy);
    }

    private boolean isAtWork() {
        return (time != null && time.isAtWork()) || actors.stream().anyMatch(Actor::isAtWork);
    }

    /** A wait for something that comes within that time. */
    Patience patience(Duration limit) {
        return new Patience(limit.toNanos());
    }

    final class Patience {

        private final long limitNanos;
        private final long start = nanos();
        private final long realStart = System.nanoTime();
        private int quiet;

        private Patience(long limitNanos) {
            this.limitNanos = limitNanos;
        }

        boolean isOver() {
            return System.nanoTime() - realStart >= limitNanos
                    || (time != null && nanos() - start >= limitNanos && !isBusy());
        }

        /** Waits for a moment. */
        void more() throws InterruptedException {
            if (time == null) {
                Thread.sleep(STEP.toMillis());
            } else if (isAtWork()) {
                Thread.sleep(1);
                quiet = 0;
            } else if (isBusy() && quiet < QUIET) {
                Thread.sleep(1);
                quiet++;
            } else if (time.pass(STEP)) {
                quiet = 0; // what was due may have woken one
            }
        }
    }

    /** Gives a test's thread, which is not the one that prepared it, the pace of the test. */
    static final class OfTheTest implements InvocationInterceptor {

        @Override
        public void interceptTestMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> invocationContext,
                ExtensionContext extensionContext)
                throws Throwable {
            runs(invocation, invocationContext);
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> invocationContext,
                ExtensionContext extensionContext)
                throws Throwable {
            runs(invocation, invocationContext);
        }

        private static void runs(
                Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> invocationContext)
                throws Throwable {
            if (invocationContext.getTarget().orElseThrow() instanceof Contract contract) {
                contract.pace().begin();
            }
            try {
                invocation.proceed();
            } finally {
                end();
            }
        }
    }
}
