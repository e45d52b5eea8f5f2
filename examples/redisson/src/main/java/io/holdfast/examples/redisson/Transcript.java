package io.holdfast.examples.redisson;

import java.util.ArrayList;
import java.util.List;

/** What one of the programs saw: a line for each method that it called, under Redisson's name of the method. */
final class Transcript {

    /** Something to call that answers nothing. */
    interface Step {
        void run() throws Exception;
    }

    private final List<String> lines = new ArrayList<>();

    void say(String method, Object answer) {
        lines.add(method + " = " + answer);
    }

    void does(String method, Step step) throws Exception {
        step.run();
        lines.add(method);
    }

    /** The method does not work, and says so. */
    void fails(String method, Step step) {
        try {
            step.run();
            lines.add(method + " works");
        } catch (Exception e) {
            lines.add(method + " throws " + kind(e));
        }
    }

    /** The JDK's class of the exception, which both libraries share. */
    private static String kind(Exception e) {
        return e instanceof IllegalMonitorStateException
                ? "IllegalMonitorStateException"
                : e.getClass().getSimpleName();
    }

    /** A time to live of which only the order of magnitude is the same each time. */
    static String about(long millis, long expected) {
        return millis > expected / 2 && millis <= expected ? "about " + expected + " ms" : millis + " ms";
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
