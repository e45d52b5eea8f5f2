package io.holdfast.tck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * A number that several processes count up, written twice: a count reads, pauses, and writes one after the other.
 * Two counts at a time lose an update, and a look in between sees two numbers.
 */
public record RacyFile(Path file) {

    private static final int DIGITS = 10;
    private static final long PAUSE_NANOS = 100_000;

    public static RacyFile create(Path file) throws IOException {
        Files.writeString(file, cell(0) + cell(0));
        return new RacyFile(file);
    }

    public void increment() throws IOException {
        int next = first() + 1;
        // Of one length, and each written in one go over the old, so that no reader gets half a number.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            LockSupport.parkNanos(PAUSE_NANOS);
            channel.write(ByteBuffer.wrap(cell(next).getBytes(StandardCharsets.US_ASCII)), 0);
            LockSupport.parkNanos(PAUSE_NANOS);
            channel.write(ByteBuffer.wrap(cell(next).getBytes(StandardCharsets.US_ASCII)), DIGITS);
        }
    }

    /** Whether both say the same, seen one after the other. */
    public boolean isWhole() throws IOException {
        int seen = first();
        LockSupport.parkNanos(PAUSE_NANOS);
        return seen == Integer.parseInt(Files.readString(file).substring(DIGITS));
    }

    /** The number. */
    public int first() throws IOException {
        return Integer.parseInt(Files.readString(file).substring(0, DIGITS));
    }

    private static String cell(int number) {
        return "%010d".formatted(number);
    }
}
