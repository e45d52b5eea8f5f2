package io.holdfast.demo;

import io.holdfast.demo.Terminal.Colour;

/** What a visitor begins to do, and how that is drawn. Where one row shows several of them, the later ones count more. */
enum Doing {
    IDLE(' ', ' ', Colour.DIM, ""),
    WAITS('·', '.', Colour.DIM, "waits"),
    WORKS('░', '-', Colour.DIM, "works"),
    READS('r', 'r', Colour.GREEN, "reads"),
    WRITES('W', 'W', Colour.YELLOW, "writes"),
    INSIDE('█', '#', Colour.GREEN, "is in"),
    COUNTS('v', 'v', Colour.BOLD, "counts down"),
    DIES('x', 'x', Colour.RED, "is killed");

    private final char glyph;
    private final char ascii;
    final Colour colour;
    final String word;

    Doing(char glyph, char ascii, Colour colour, String word) {
        this.glyph = glyph;
        this.ascii = ascii;
        this.colour = colour;
        this.word = word;
    }

    char glyph(boolean unicode) {
        return unicode ? glyph : ascii;
    }

    /** Over at once, so that it is drawn wherever it happens and ends nothing but a life. */
    boolean isInstant() {
        return this == COUNTS || this == DIES;
    }
}
