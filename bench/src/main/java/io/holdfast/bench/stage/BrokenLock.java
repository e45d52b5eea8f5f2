package io.holdfast.bench.stage;

/** A lock was held twice: whatever was measured meanwhile is no result. */
public final class BrokenLock extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BrokenLock(String message) {
        super(message);
    }
}
