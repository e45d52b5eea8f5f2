package io.holdfast.bench.report;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How far it is: a bar that is drawn over and over on a terminal, elsewhere a plain line now and then. */
public final class Progress implements AutoCloseable {

    private static final int SIZE = 24;
    private static final long PLAIN_INTERVAL = TimeUnit.SECONDS.toNanos(10);

    private final Terminal terminal;
    private final double allSeconds;
    private final long begin = System.nanoTime();
    private double doneSeconds;
    private boolean shown;
    private long lastPlain = begin - PLAIN_INTERVAL;

    /** For steps that together should take so long. */
    public Progress(Terminal terminal, double allSeconds) {
        this.terminal = terminal;
        this.allSeconds = Math.max(allSeconds, 1e-3);
    }

    /** Something that should take so long begins. */
    public synchronized void step(String text) {
        double fraction = Math.min(1, doneSeconds / allSeconds);
        String line = String.format(Locale.ROOT, "%3.0f %%  %s  %s", 100 * fraction, text, left(fraction));
        if (terminal.interactive()) {
            int filled = (int) Math.round(fraction * SIZE);
            String bar = (terminal.unicode() ? "█" : "#").repeat(filled);
            String rest = (terminal.unicode() ? "░" : ".").repeat(SIZE - filled);
            String fitting = line.substring(0, Math.min(line.length(), Math.max(0, terminal.columns() - SIZE - 3)));
            terminal.out().print("\r\033[K" + terminal.good(bar) + terminal.dim(rest) + " " + terminal.plain(fitting));
            terminal.out().flush();
            shown = true;
        } else if (System.nanoTime() - lastPlain >= PLAIN_INTERVAL) {
            terminal.out().println(terminal.plain(line));
            lastPlain = System.nanoTime();
        }
    }

    public synchronized void done(double seconds) {
        doneSeconds += seconds;
    }

    /** A line that stays. */
    public synchronized void line(String text) {
        close();
        terminal.out().println(terminal.plain(text));
    }

    private String left(double fraction) {
        double passed = (System.nanoTime() - begin) / 1e9;
        // The steps so far say how good the estimates are.
        double factor = doneSeconds < 5 ? 1 : passed / doneSeconds;
        long left = Math.round((allSeconds - doneSeconds) * factor);
        if (fraction >= 1) {
            return "";
        }
        return left < 90 ? "about " + left + " s left" : "about " + Math.round(left / 60.0) + " min left";
    }

    /** Leaves the line that the bar was on empty. */
    @Override
    public synchronized void close() {
        if (shown) {
            terminal.out().print("\r\033[K");
            terminal.out().flush();
            shown = false;
        }
    }
}
