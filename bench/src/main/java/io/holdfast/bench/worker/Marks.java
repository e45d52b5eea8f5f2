package io.holdfast.bench.worker;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the locks guard, in memory that all processes of the bench share: for each lock the mark of its holder, and a
 * count that is read on entering and written on leaving without any care of its own. Two holders at once find the mark
 * of the other, or lose a count. Readers look for the mark of a writer, and at a pair of counts that is equal only when
 * no writer is at it; a writer looks for readers. It costs a few tens of nanoseconds, the same for every contestant, and no
 * network.
 */
public final class Marks {

    /** When the lock was given back last, by {@link System#nanoTime}. */
    static final int HANDED = 1;
    /** The number of the last round in which a process was about to wait. */
    static final int WAITING = 2;
    /** The number of the last round in which the waiting process got it. */
    static final int TAKEN = 3;
    /** Not zero: the round that is the last. */
    static final int STOP = 4;

    /** The process that had the lock last, counted from 1. */
    private static final int HAD = 5;

    private static final int BROKEN = 0;
    private static final int FIELDS = 8;
    // Apart from each other, or the neighbours would slow each other down.
    private static final int LINE = 128;
    /** How many readers are inside; beside the mark. */
    private static final int READERS = 8;

    private static final int COUNT = 64;
    /** The same as the count, written after it. */
    private static final int TWIN = 72;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private final int locks;

    private Marks(ByteBuffer memory, int locks) {
        this.memory = memory;
        this.locks = locks;
    }

    /** Maps the file, which is made if it is not there. */
    public static Marks map(Path file, int locks) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) (FIELDS + locks) * LINE);
            return new Marks(memory, locks);
        }
    }

    /** Right after a lock was taken. The answer is for {@link #leave}. */
    public long enter(int lock, long me) {
        int at = at(FIELDS + lock);
        if (!LONGS.compareAndSet(memory, at, 0L, me) || (long) LONGS.getVolatile(memory, at + READERS) != 0) {
            breach();
        }
        return (long) LONGS.get(memory, at + COUNT);
    }

    /** Right before a lock is given back. */
    public void leave(int lock, long me, long entered) {
        int at = at(FIELDS + lock);
        LONGS.set(memory, at + COUNT, entered + 1);
        LONGS.set(memory, at + TWIN, entered + 1);
        if (!LONGS.compareAndSet(memory, at, me, 0L)) {
            breach();
        }
    }

    /** Notes the process of the holder, and answers whether the holder before was in another one. Where there is one lock. */
    boolean takeTurn(int process) {
        boolean turn = get(HAD) != process + 1;
        set(HAD, process + 1L);
        return turn;
    }

    /** Right after a lock was taken for reading. The answer is for {@link #leaveReading}. */
    public long enterReading(int lock) {
        int at = at(FIELDS + lock);
        LONGS.getAndAdd(memory, at + READERS, 1L);
        long count = (long) LONGS.getVolatile(memory, at + COUNT);
        check(at, count);
        return count;
    }

    /** Right before a lock that was taken for reading is given back: nothing has changed. */
    public void leaveReading(int lock, long entered) {
        int at = at(FIELDS + lock);
        check(at, entered);
        LONGS.getAndAdd(memory, at + READERS, -1L);
    }

    private void check(int at, long count) {
        boolean same = (long) LONGS.getVolatile(memory, at + COUNT) == count
                && (long) LONGS.getVolatile(memory, at + TWIN) == count;
        if (!same || (long) LONGS.getVolatile(memory, at) != 0) {
            breach();
        }
    }

    /** A lock was seen to be broken. */
    public void breach() {
        LONGS.getAndAdd(memory, at(BROKEN), 1L);
    }

    /** How often a lock was seen to be broken. */
    public long breaches() {
        return get(BROKEN);
    }

    /** How often all locks together were entered, if no count was lost. */
    public long entered() {
        long sum = 0;
        for (int lock = 0; lock < locks; lock++) {
            sum += (long) LONGS.getVolatile(memory, at(FIELDS + lock) + COUNT);
        }
        return sum;
    }

    long get(int field) {
        return (long) LONGS.getVolatile(memory, at(field));
    }

    void set(int field, long value) {
        LONGS.setVolatile(memory, at(field), value);
    }

    private static int at(int line) {
        return line * LINE;
    }
}
