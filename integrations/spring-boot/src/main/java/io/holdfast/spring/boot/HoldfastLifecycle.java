package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import org.springframework.context.SmartLifecycle;

/**
 * Gives the locks back when the context stops: after the web server and the executors, whose tasks may hold locks, and before the
 * connection factories, whose phase is 0. A bean's destroy method would be too late for that.
 */
final class HoldfastLifecycle implements SmartLifecycle {

    /** Between connection factories (0) and executors ({@code Integer.MAX_VALUE / 2}). */
    static final int PHASE = Integer.MAX_VALUE / 4;

    private enum State {
        NEW,
        RUNNING,
        STOPPED
    }

    private final Holdfast holdfast;
    private State state = State.NEW;

    HoldfastLifecycle(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    @Override
    public synchronized void start() {
        if (state == State.STOPPED) {
            throw new IllegalStateException(
                    "Holdfast has given its locks back when this context was stopped, and can't start again; make a new context");
        }
        state = State.RUNNING;
    }

    @Override
    public synchronized void stop() {
        state = State.STOPPED;
        holdfast.close();
    }

    @Override
    public synchronized boolean isRunning() {
        return state == State.RUNNING;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** A context that is paused between tests keeps its locks. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
