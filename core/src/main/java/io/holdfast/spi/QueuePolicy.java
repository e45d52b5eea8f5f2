package io.holdfast.spi;

/** How a claim that asks stands to those who wait in the store's queue, and what becomes of it if it is not granted. */
public enum QueuePolicy {
    /** It may pass those who wait; if it is not granted, nothing of it stays. */
    BARGES(true, false),
    /** It may pass those who wait; if it is not granted, it takes a place at the end of the queue. */
    BARGES_OR_QUEUES(true, true),
    /** Those who wait come first; if it is not granted, nothing of it stays. */
    GIVES_WAY(false, false),
    /** Those who wait come first, and it takes a place behind them: fair. */
    QUEUES(false, true);

    private final boolean barges;
    private final boolean queues;

    QueuePolicy(boolean barges, boolean queues) {
        this.barges = barges;
        this.queues = queues;
    }

    /** Whether only those who hold stand in its way, and not those who wait. */
    public boolean barges() {
        return barges;
    }

    /** Whether it takes a place in the queue if it is not granted. */
    public boolean queues() {
        return queues;
    }
}
