package io.holdfast.cli;

/** Exit codes: those of sysexits.h where it has one, and what shells use for commands. */
final class Exit {

    static final int OK = 0;

    /** The command line is wrong. */
    static final int USAGE = 64;

    /** The store can't be reached, or refuses. */
    static final int STORE = 69;

    /** A fault of the command line itself. */
    static final int INTERNAL = 70;

    /** The lease was lost before the command had ended. */
    static final int LEASE_LOST = 74;

    /** The lock was not had in time, or is held with another token: it may work later. */
    static final int NOT_HAD = 75;

    /** The command is there and can't be run. */
    static final int NOT_EXECUTABLE = 126;

    static final int NOT_FOUND = 127;

    private static final int SIGNALLED = 128;

    private Exit() {}

    static int bySignal(int number) {
        return SIGNALLED + number;
    }
}
