package io.holdfast.demo;

/**
 * How a scene ended: one line of the summary.
 *
 * @param scene its name
 * @param expected what it promised
 * @param seen what happened
 * @param outcome whether the two agree
 */
record Result(String scene, String expected, String seen, Outcome outcome) {

    enum Outcome {
        OK("yes"),
        FAILED("NO"),
        SKIPPED("-");

        final String word;

        Outcome(String word) {
            this.word = word;
        }
    }

    static Result of(String scene, String expected, String seen, boolean ok) {
        return new Result(scene, expected, seen, ok ? Outcome.OK : Outcome.FAILED);
    }

    static Result skipped(String scene, String expected, String why) {
        return new Result(scene, expected, why, Outcome.SKIPPED);
    }
}
