package io.holdfast.bench.worker;

import java.io.PrintStream;

/** How a worker speaks to the bench: a word and what belongs to it on a line of its standard output. */
public final class Voice {

    public static final String READY = "ready";
    public static final String RESULT = "result";
    public static final String FAILED = "failed";
    /** A held-locks worker has all of them, and begins to keep them. */
    public static final String KEEPING = "keeping";
    /** It has kept them for long enough. */
    public static final String KEPT = "kept";

    private final PrintStream out;

    Voice(PrintStream out) {
        this.out = out;
    }

    synchronized void say(String word) {
        say(word, "");
    }

    synchronized void say(String word, String rest) {
        out.println((word + " " + rest.replaceAll("\\s+", " ")).strip());
        out.flush();
    }
}
