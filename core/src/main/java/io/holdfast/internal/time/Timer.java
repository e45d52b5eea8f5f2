package io.holdfast.internal.time;

/** Something that is done when it is due. */
final class Timer extends Timed {

    private final Runnable action;

    Timer(Runnable action) {
        this.action = action;
    }

    @Override
    void due() {
        action.run();
    }
}
