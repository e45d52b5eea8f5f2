package io.holdfast.bench.worker;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What a worker found out: numbers by name and a histogram of nanoseconds. Travels as one line of text. */
public final class Findings {

    /** How often a lock was entered, the warm-up included; compared with what the marks counted. */
    public static final String ENTERED = "entered";
    /** What happened within the window. */
    public static final String COUNTED = "counted";
    /** CPU nanoseconds of the process within the window. */
    public static final String CPU = "cpu";
    /** CPU nanoseconds in a second, before there was anything to do. */
    public static final String IDLE = "idle";
    /** Nanoseconds that the whole task took. */
    public static final String TOOK = "took";
    /** Bytes that the heap has grown by. */
    public static final String HEAP = "heap";

    /** Of what happened, how much was a write. */
    public static final String WRITTEN = "written";
    /** Nanoseconds of the write that took longest. */
    public static final String LONGEST_WRITE = "longestWrite";

    /** By what process, from 0. */
    public static final String PROCESS = "process";
    /** Holds that came after one of another process. */
    public static final String TURNS = "turns";
    /** What the client with the fewest holds has had. */
    public static final String FEWEST = "fewest";
    /** What the client with the most holds has had. */
    public static final String MOST = "most";
    /** Nanoseconds that a client has waited at most, without what came after the window. */
    public static final String LONGEST_WAIT = "longestWait";

    private final Map<String, Double> numbers = new LinkedHashMap<>();
    private Histogram latencies = new Histogram(2);

    public Findings put(String name, double value) {
        numbers.put(name, value);
        return this;
    }

    public Findings put(String name, long value) {
        return put(name, (double) value);
    }

    public Findings latencies(Histogram histogram) {
        latencies = histogram;
        return this;
    }

    /** Zero if it was not found. */
    public double get(String name) {
        return numbers.getOrDefault(name, 0.0);
    }

    public Histogram latencies() {
        return latencies;
    }

    String encode() {
        ByteBuffer buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(buffer);
        StringJoiner line = new StringJoiner(" ");
        numbers.forEach((name, value) -> line.add(name + "=" + value));
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        line.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
        return line.toString();
    }

    public static Findings decode(String line) {
        Findings findings = new Findings();
        for (String word : line.split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                findings.put(word.substring(0, equals), Double.parseDouble(word.substring(equals + 1)));
            } else {
                findings.latencies = histogram(word);
            }
        }
        return findings;
    }

    private static Histogram histogram(String text) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            return Histogram.decodeFromCompressedByteBuffer(buffer, 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a histogram", e);
        }
    }
}
