package io.holdfast.demo;

import io.holdfast.demo.Terminal.Colour;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Tells what goes on. Lines stay; below them, on a terminal, is one bar that is drawn over and over in its place.
 * Elsewhere the bar is a plain line once a second. Nothing is shown after {@link #close}, which Ctrl-C leads to.
 */
final class Progress implements AutoCloseable {

    private static final String INDENT = "   ";
    private static final int WIDEST_BAR = 30;
    private static final int NARROWEST_BAR = 5;
    private static final long PLAIN_INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final Terminal terminal;
    private boolean barShown;
    private boolean closed;
    private long lastPlainBar = System.nanoTime();

    Progress(Terminal terminal) {
        this.terminal = terminal;
    }

    synchronized void title(String text) {
        print(List.of(""));
        print(paint(Colour.BOLD, wrap(text, "")));
    }

    synchronized void line(String text) {
        print(wrap(text, INDENT));
    }

    /** A line that says how it went: green if all is well, red if not. */
    synchronized void verdict(boolean well, String text) {
        print(paint(well ? Colour.GREEN : Colour.RED, wrap(text, INDENT)));
    }

    synchronized void drawing(Timeline timeline) {
        int room = terminal.width() - 1 - INDENT.length();
        print(timeline.lines(terminal, room).stream().map(line -> INDENT + line).toList());
    }

    /** Draws the bar anew, filled up to the fraction. */
    synchronized void bar(double fraction, String text) {
        if (closed) {
            return;
        }
        if (terminal.interactive()) {
            String shown = shorten(text, terminal.width() - INDENT.length() - NARROWEST_BAR - 3);
            int room = terminal.width() - INDENT.length() - shown.length() - 3;
            int size = Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, room));
            terminal.out().print("\r\033[K" + INDENT + draw(fraction, size) + "  " + shown);
            terminal.out().flush();
            barShown = true;
        } else if (System.nanoTime() - lastPlainBar >= PLAIN_INTERVAL) {
            line("… ".substring(terminal.unicode() ? 0 : 2) + text);
        }
    }

    private String draw(double fraction, int size) {
        int filled = (int) Math.round(Math.max(0, Math.min(1, fraction)) * size);
        String done = (terminal.unicode() ? "█" : "#").repeat(filled);
        String rest = (terminal.unicode() ? "░" : ".").repeat(size - filled);
        return terminal.paint(Colour.GREEN, done) + terminal.paint(Colour.DIM, rest);
    }

    /** Leaves the bar as it is and the cursor below it. */
    @Override
    public synchronized void close() {
        closed = true;
        if (barShown) {
            terminal.out().println();
            barShown = false;
        }
    }

    private void print(List<String> lines) {
        if (closed) {
            return;
        }
        if (barShown) {
            terminal.out().print("\r\033[K");
            barShown = false;
        }
        lines.forEach(terminal.out()::println);
        lastPlainBar = System.nanoTime();
    }

    private List<String> paint(Colour colour, List<String> lines) {
        return lines.stream().map(line -> terminal.paint(colour, line)).toList();
    }

    private static String shorten(String text, int length) {
        return text.length() <= length ? text : text.substring(0, Math.max(0, length));
    }

    private List<String> wrap(String text, String indent) {
        return Text.wrap(text, terminal.width() - 1, indent);
    }
}
