package io.holdfast.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/**
 * Where the demo prints: a terminal, whose last line can be rewritten, or a file or pipe, where lines follow each other.
 *
 * @param out the standard output
 * @param width how many columns a line has
 * @param interactive whether a line can be rewritten
 * @param colour whether to use colours
 * @param unicode whether more than ASCII can be shown
 */
record Terminal(PrintStream out, int width, boolean interactive, boolean colour, boolean unicode) {

    private static final int DEFAULT_WIDTH = 80;

    enum Colour {
        RED(31),
        GREEN(32),
        YELLOW(33),
        BOLD(1),
        DIM(2);

        private final int code;

        Colour(int code) {
            this.code = code;
        }
    }

    static Terminal detect() {
        Charset charset = Charset.forName(System.getProperty("native.encoding", "US-ASCII"));
        boolean unicode = charset.equals(StandardCharsets.UTF_8);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, charset);
        int columns = columns();
        boolean interactive = columns > 0 && !"dumb".equals(System.getenv("TERM"));
        String noColour = System.getenv("NO_COLOR");
        boolean colour = interactive && (noColour == null || noColour.isEmpty());
        return new Terminal(out, interactive ? columns : DEFAULT_WIDTH, interactive, colour, unicode);
    }

    String paint(Colour colour, String text) {
        return this.colour ? "\033[" + colour.code + "m" + text + "\033[m" : text;
    }

    /** Zero if standard output is not a terminal. Java can't say how wide a terminal is; the shell can. */
    private static int columns() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "[ -t 1 ] && stty size <&1 >&2")
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (Scanner size = new Scanner(stty.getErrorStream(), StandardCharsets.US_ASCII)) {
                boolean known = size.hasNextInt() && size.nextInt() >= 0 && size.hasNextInt();
                int columns = known ? size.nextInt() : 0;
                if (stty.waitFor() != 0) {
                    return 0;
                }
                return columns > 0 ? columns : DEFAULT_WIDTH;
            }
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
