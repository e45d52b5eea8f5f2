package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;

/** The classes that the style sheet colours contestants by. */
final class Style {

    private Style() {}

    static String fill(Contestant contestant) {
        return "fill " + contestant.id();
    }

    static String stroke(Contestant contestant) {
        return "stroke " + contestant.id();
    }

    static String text(Contestant contestant) {
        return contestant == Contestant.HOLDFAST ? "ours" : "theirs";
    }
}
