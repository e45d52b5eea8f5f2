package io.holdfast.bench.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/**
 * Where the bench prints.
 *
 * @param columns how wide a line may be
 * @param interactive whether a line can be rewritten
 * @param colour whether to use colours
 * @param unicode whether more than ASCII can be shown
 */
public record Terminal(PrintStream out, int columns, boolean interactive, boolean colour, boolean unicode) {

    private static final int DEFAULT_COLUMNS = 120;

    /** As much as the table needs, elsewhere than on a terminal. */
    public static Terminal detect() {
        Charset charset = Charset.forName(System.getProperty("native.encoding", "US-ASCII"));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, charset);
        int columns = askShell();
        boolean interactive = columns > 0 && !"dumb".equals(System.getenv("TERM"));
        String noColour = System.getenv("NO_COLOR");
        return new Terminal(
                out,
                interactive ? columns : DEFAULT_COLUMNS,
                interactive,
                interactive && (noColour == null || noColour.isEmpty()),
                charset.equals(StandardCharsets.UTF_8));
    }

    public String bold(String text) {
        return paint(text, 1);
    }

    String dim(String text) {
        return paint(text, 2);
    }

    String good(String text) {
        return paint(text, 32);
    }

    String bad(String text) {
        return paint(text, 31);
    }

    private String paint(String text, int code) {
        return colour ? "\033[" + code + "m" + text + "\033[m" : text;
    }

    /** The same in ASCII, where there is nothing else. */
    public String plain(String text) {
        return unicode
                ? text
                : text.replace('×', 'x')
                        .replace("µ", "u")
                        .replace("→", "->")
                        .replace("±", "+-")
                        .replace("–", "-")
                        .replace("·", "-")
                        .replace("✓", "ok")
                        .replace("✗", "no");
    }

    /** Zero if standard output is not a terminal; the shell knows, Java does not. */
    private static int askShell() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "[ -t 1 ] && stty size <&1 >&2")
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (Scanner size = new Scanner(stty.getErrorStream(), StandardCharsets.US_ASCII)) {
                int rows = size.hasNextInt() ? size.nextInt() : -1;
                int columns = rows >= 0 && size.hasNextInt() ? size.nextInt() : 0;
                boolean terminal = stty.waitFor() == 0;
                return terminal ? Math.max(columns, 80) : 0;
            }
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
