package io.holdfast.zookeeper;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Any text as the name of one node, and back. Visible ASCII that has no meaning in a path stays as it is; every other byte
 * of its UTF-8 is written as {@code %XX}. No two texts have one name.
 */
final class Names {

    private static final String PLAIN = "-_:;,=@+.()[]{}!$&'*";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private Names() {}

    static String encode(String text) {
        return isPlain(text) ? text : escape(text);
    }

    private static String escape(String text) {
        StringBuilder name = new StringBuilder(text.length() + 8);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            // A dot in front could make "." or "..", which are no names.
            if (isPlain(c) && !(c == '.' && name.isEmpty())) {
                name.append(c);
            } else {
                name.append('%').append(HEX[c >> 4]).append(HEX[c & 0xf]);
            }
        }
        return name.toString();
    }

    static String decode(String name) {
        if (name.indexOf('%') < 0) {
            return name;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '%' && i + 2 < name.length()) {
                bytes.write(Integer.parseInt(name, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean isPlain(String text) {
        if (text.startsWith(".")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
    }
}
