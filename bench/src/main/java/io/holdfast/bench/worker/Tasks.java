package io.holdfast.bench.worker;

/** The names of what a worker can do. */
public final class Tasks {

    public static final String PAIRS = "pairs";
    public static final String READ_WRITE = "readWrite";
    public static final String CONTEND = "contend";
    public static final String CHAINS = "chains";
    public static final String HANDOFF = "handoff";
    public static final String BUSY = "busy";
    public static final String HELD = "held";
    public static final String STARTUP = "startup";

    private Tasks() {}
}
