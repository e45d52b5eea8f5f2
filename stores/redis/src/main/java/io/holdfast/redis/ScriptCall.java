package io.holdfast.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What EVALSHA says, as bytes that the calling thread has made. All callers share one thread for what is sent and received,
 * and Lettuce would have that one encode each argument into a buffer of its own first.
 */
final class ScriptCall extends CommandArgs<String, String> {

    /** Room for the length of an argument and the ends of its two lines. */
    private static final int AROUND = 1 + 10 + 2 + 2;

    private final int count;
    private byte[] bytes;
    private int size;

    ScriptCall(Script script, String[] keys, String[] args) {
        super(StringCodec.UTF8);
        this.count = 2 + keys.length + args.length;
        this.bytes = new byte[length(script.digest()) + AROUND + length(keys) + length(args)];
        write(script.digest());
        write(Integer.toString(keys.length));
        for (String key : keys) {
            write(key);
        }
        for (String arg : args) {
            write(arg);
        }
    }

    private static int length(String... texts) {
        int length = 0;
        for (String text : texts) {
            length += text.length() + AROUND; // more, where it is not ASCII
        }
        return length;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void encode(ByteBuf to) {
        to.writeBytes(bytes, 0, size);
    }

    private void write(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        int needed = size + encoded.length + AROUND;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
        }
        bytes[size++] = '$';
        writeNumber(encoded.length);
        endLine();
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
        endLine();
    }

    private void writeNumber(int number) {
        if (number >= 10) {
            writeNumber(number / 10);
        }
        bytes[size++] = (byte) ('0' + number % 10);
    }

    private void endLine() {
        bytes[size++] = '\r';
        bytes[size++] = '\n';
    }
}
