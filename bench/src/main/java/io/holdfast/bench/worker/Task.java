package io.holdfast.bench.worker;

/** What a worker process does once. */
interface Task {

    /** What comes before the clock starts: connecting, most of all. */
    void prepare() throws Exception;

    Findings run(Window window) throws Exception;
}
