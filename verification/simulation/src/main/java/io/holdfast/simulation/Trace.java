package io.holdfast.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, for people. Off in bulk runs; a seed that fails is run again with it on, and does the same again. */
final class Trace {

    private final World world;
    private final boolean on;
    private final List<String> lines = new ArrayList<>();

    Trace(World world, boolean on) {
        this.world = world;
        this.on = on;
    }

    void say(String who, String what, Object... details) {
        if (on) {
            lines.add(String.format(Locale.ROOT, "%13.6f %-6s ", (double) world.now() / Time.SECOND, who)
                    + String.format(Locale.ROOT, what, details));
        }
    }

    List<String> lines() {
        return lines;
    }
}
