package io.holdfast.internal.time;

/** Something that is done when it is due. */
public final class Timer extends Timed {

    private final Runnable action;

    public Timer(Runnable action) {
        this.action = action;
    }

    @Override
    public void due() {
        action.run();
    }
}
