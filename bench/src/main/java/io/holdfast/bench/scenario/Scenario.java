package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.Store;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import java.io.IOException;
import java.util.List;

/** One question that is put to all contestants. */
public interface Scenario {

    /** What the command line calls it. */
    String id();

    String title();

    /** What is done and what is counted, in a sentence or two. */
    String about();

    List<Metric> metrics();

    /** Which of the metrics are one number at several sizes. */
    default List<Series> series() {
        return List.of();
    }

    /** Where the locks are; only contestants that keep theirs there take part. */
    default Store store() {
        return Store.REDIS;
    }

    /** Whether the question makes sense for that contestant, which keeps its locks there. */
    boolean fits(Contestant contestant);

    /**
     * Whether asking again is worth the time: not where things are counted rather than timed, nor where one answer
     * already comes of several looks.
     */
    default boolean varies() {
        return true;
    }

    /** Whether it is part of a quick run that does not name its scenarios. */
    default boolean isQuick() {
        return true;
    }

    /** About how long one measurement takes; only the progress bar believes it. */
    double seconds(Pace pace);

    /** Puts the question once to one contestant, in processes that are started for it and ended after it. */
    Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException;
}
