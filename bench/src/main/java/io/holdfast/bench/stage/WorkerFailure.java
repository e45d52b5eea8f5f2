package io.holdfast.bench.stage;

/** A contestant could not do what it was asked for; the rest go on. */
public final class WorkerFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WorkerFailure(String message) {
        super(message);
    }
}
