package io.holdfast;

/**
 * The store took the command, but could not get it to as many replicas as it has to survive on, in the time that it has
 * for that. It does not count: a failover could undo it. What was granted is given back.
 */
public final class NotReplicatedException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public NotReplicatedException(String message) {
        super(message, true);
    }
}
