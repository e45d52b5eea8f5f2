package io.holdfast.cas;

import io.holdfast.StoreRefusedException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How values are written: numbers of variable length, and texts, each of which is written once in a value and by its number after that.
 * The first byte is the version of the format; after it comes what makes the value unlike every other.
 */
final class Bytes {

    static final byte VERSION = 1;

    private Bytes() {}

    static final class Writer {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);
        private final Map<String, Integer> texts = new HashMap<>();

        Writer(Stamp stamp) {
            out.write(VERSION);
            number(stamp.writer());
            number(stamp.number());
        }

        void number(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                out.write((int) ((rest & 0x7F) | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
        }

        void flag(boolean value) {
            out.write(value ? 1 : 0);
        }

        void text(String text) {
            Integer known = texts.putIfAbsent(text, texts.size());
            if (known != null) {
                number(known + 1L);
            } else {
                byte[] utf = text.getBytes(StandardCharsets.UTF_8);
                number(0);
                number(utf.length);
                out.write(utf, 0, utf.length);
            }
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }

    /** Throws {@link IndexOutOfBoundsException} where the value is too short. */
    static final class Reader {

        private final byte[] in;
        private final List<String> texts = new ArrayList<>();
        private int at;

        Reader(String key, byte[] value) {
            this.in = value;
            byte version = value.length == 0 ? 0 : value[at++];
            if (version != VERSION) {
                throw version > VERSION
                        ? new StoreRefusedException(
                                "the value of " + key + " was written by a newer version of Holdfast, in format "
                                        + version + ": update this client",
                                false)
                        : foreign(key);
            }
        }

        static StoreRefusedException foreign(String key) {
            return new StoreRefusedException(
                    "the value of " + key + " was not written by Holdfast: keep its keys apart from those of other"
                            + " applications, with a prefix of their own",
                    false);
        }

        Stamp stamp() {
            return new Stamp(number(), number());
        }

        long number() {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in[at++];
                value |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return value;
                }
                if (shift > 63) {
                    throw new IndexOutOfBoundsException("a number without an end");
                }
            }
        }

        int count() {
            long count = number();
            if (count < 0 || count > in.length) {
                throw new IndexOutOfBoundsException("more entries than bytes");
            }
            return (int) count;
        }

        boolean flag() {
            return in[at++] != 0;
        }

        String text() {
            long known = number();
            if (known > 0) {
                return texts.get((int) known - 1);
            }
            int length = count();
            if (length > in.length - at) {
                throw new IndexOutOfBoundsException("a text without an end");
            }
            String text = new String(in, at, length, StandardCharsets.UTF_8);
            at += length;
            texts.add(text);
            return text;
        }
    }
}
