package io.holdfast.spi;

/** How a claim that is sent stands to the claims in the store's queue, and what becomes of it if it is not granted. */
public enum QueuePolicy {
    /** It may pass queued claims; if it is not granted, nothing of it stays. */
    BARGES(true, false),
    /** It may pass queued claims; if it is not granted, it takes a ticket at the end of the queue. */
    BARGES_OR_QUEUES(true, true),
    /** Queued claims come first; if it is not granted, nothing of it stays. */
    GIVES_WAY(false, false),
    /** Queued claims come first, and it takes a ticket behind them: fair. */
    QUEUES(false, true);

    private final boolean barges;
    private final boolean queues;

    QueuePolicy(boolean barges, boolean queues) {
        this.barges = barges;
        this.queues = queues;
    }

    /** True if only the claims that hold block it, and not the queued ones. */
    public boolean barges() {
        return barges;
    }

    /** True if it takes a ticket if it is not granted. Sent only to a {@link QueueingStore}. */
    public boolean queues() {
        return queues;
    }
}
