package io.holdfast.spi;

import java.util.Locale;

/**
 * What messages, log lines and records show of names and of other text that comes from outside. A name may contain almost any
 * character; a message is one line whatever it contains, so that a name can't forge another line, nor steer a terminal.
 */
public final class Messages {

    private Messages() {}

    /**
     * The text as one line, with question marks in place of control characters, of line and paragraph separators and of what
     * changes the direction of text.
     */
    public static String line(String text) {
        StringBuilder line = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnsafe(c)) {
                line = line == null ? new StringBuilder(text) : line;
                line.setCharAt(i, '?');
            }
        }
        return line == null ? text : line.toString();
    }

    /** What messages call a lock, a semaphore or a latch, as in {@code lock 'orders:42'}. */
    public static String label(ResourceType kind, String name) {
        return kind.name().toLowerCase(Locale.ROOT) + " '" + line(name) + "'";
    }

    private static boolean isUnsafe(char c) {
        if (c >= ' ' && c < 0x7F) {
            return false;
        }
        return Character.isISOControl(c)
                || c == 0x061C
                || (c >= 0x200E && c <= 0x200F)
                || (c >= 0x2028 && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
