package io.holdfast.demo;

import java.io.IOException;

/** One thing to show. */
interface Scene {

    /** A sentence that says what is about to happen. */
    String title();

    /** Plays it. Leaves the workers idle, except the killed ones; new ones may be starting. */
    Result play(Crew crew, Progress progress) throws IOException, InterruptedException;
}
