package io.holdfast.jdbc;

import io.holdfast.spi.Messages;
import io.holdfast.spi.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Who made a claim, as it is stored: lines of client, process, host and thread. A line feed in one of them becomes a
 * space, and what is too long is cut.
 */
final class OwnerRecord {

    private static final int LONGEST = 80;

    private OwnerRecord() {}

    static byte[] bytes(Owner owner) {
        return Key.bytes(String.join(
                "\n",
                line(owner.client()),
                Long.toString(owner.process()),
                line(owner.host()),
                Messages.line(inBytes(owner.thread()))));
    }

    static @Nullable Owner parse(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        String[] lines = Key.text(bytes).split("\n", 4);
        try {
            return lines.length == 4 ? new Owner(lines[0], lines[2], Long.parseLong(lines[1]), lines[3]) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Of a text as many whole characters as 80 of the longest have bytes: the text of a candidate is within that. */
    private static String inBytes(String text) {
        int end = 0;
        int bytes = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (bytes > 4 * LONGEST) {
                break;
            }
            end += Character.charCount(character);
        }
        return text.substring(0, end);
    }

    // 80 characters are 320 bytes at most, so all of it fits.
    private static String line(String text) {
        String line = Messages.line(text);
        return line.codePointCount(0, line.length()) <= LONGEST
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST));
    }
}
