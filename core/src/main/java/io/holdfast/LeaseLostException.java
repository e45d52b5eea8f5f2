package io.holdfast;

/**
 * The lease ended before the lock was given back: it ran out, could not be renewed in time, was force-unlocked, or its
 * client was closed. Since then somebody else may have held the lock, so what was done under it may need to be checked;
 * a {@linkplain Lease#token() fencing token} lets the guarded resource refuse it.
 */
public final class LeaseLostException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public LeaseLostException(String message) {
        super(message, false);
    }
}
