package io.holdfast.spring;

import io.holdfast.Lease;

/** Interrupts the thread that runs a body when the lease is lost, and never after the body has ended. */
final class Interruption {

    private static final Interruption NONE = new Interruption();

    private final Thread thread = Thread.currentThread();
    private boolean over;
    private boolean interrupted;

    private Interruption() {}

    static Interruption when(OnLost onLost, Lease lease) {
        if (onLost != OnLost.INTERRUPT) {
            return NONE;
        }
        Interruption interruption = new Interruption();
        lease.onLost(lost -> interruption.interrupt());
        return interruption;
    }

    private synchronized void interrupt() {
        if (!over) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** The body has ended; an interrupt of this kind that it has not noticed is withdrawn. */
    void end() {
        if (this == NONE) {
            return;
        }
        synchronized (this) {
            over = true;
            if (interrupted) {
                Thread.interrupted();
            }
        }
    }
}
