package io.holdfast.bench.stage;

import java.util.ArrayList;
import java.util.List;

/**
 * How long everything takes.
 *
 * @param warmUp seconds before the counting
 * @param seconds in which is counted
 * @param quick smaller sizes, too: it shows that everything works, not how fast
 */
public record Pace(double warmUp, double seconds, boolean quick) {

    /** Enough for the fifty clients of a fleet in one process, each with connections to all nodes of a cluster. */
    private static final List<String> MEMORY = List.of("-Xms256m", "-Xmx2g", "-Xss512k");

    /** About how many seconds one measurement takes in so many processes, their start included. */
    public double estimate(int processes) {
        return warmUp + seconds + 0.6 + 0.5 * processes;
    }

    /** For every contestant's JVM the same, and otherwise what a JVM chooses by itself; when quick, what starts fast. */
    public List<String> jvmArguments() {
        List<String> arguments = new ArrayList<>(MEMORY);
        if (quick) {
            arguments.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        return arguments;
    }
}
