package io.holdfast.cli;

/** An event that the waiting command has to know of. */
sealed interface Notice {

    /** The lock has been had, or not, or the asking has failed. */
    Notice ANSWERED = new Plain("answered");

    /** The command has ended. */
    Notice ENDED = new Plain("ended");

    /** The lease is lost. */
    Notice LOST = new Plain("lost");

    /** The last thing that was waited for is done. */
    Notice DONE = new Plain("done");

    /** The store tells of a change. */
    Notice CHANGED = new Plain("changed");

    record Plain(String what) implements Notice {}

    /** This process was sent a signal. */
    record Signalled(String name, int number) implements Notice {}
}
