package io.holdfast.redis;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is logged from now on. It goes where it went before as well. */
final class Logged implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

    Logged() {
        System.setErr(new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int octet) {
                        before.write(octet);
                        lines.write(octet);
                    }

                    @Override
                    public void write(byte[] octets, int from, int length) {
                        before.write(octets, from, length);
                        lines.write(octets, from, length);
                    }
                },
                true,
                StandardCharsets.UTF_8));
    }

    /** How many lines have this in them. */
    long count(String text) {
        return lines.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(text))
                .count();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
